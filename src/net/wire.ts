/** The parts of a request and an answer that both transports share. */

export interface WireRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  /** Path and query on the server, e.g. /profile/update. */
  path: string;
  headers: Record<string, string>;
  body?:
    | { kind: 'json'; value: unknown }
    | { kind: 'bytes'; value: ArrayBuffer; contentType: string }
    | {
        kind: 'form';
        fields: [string, string][];
        files: { field: string; name: string; type: string; parts: ArrayBuffer[] }[];
      };
  /** Milliseconds without an answer; while bytes go out, without progress. */
  timeoutMs: number;
}

export type WireAnswer =
  | {
      status: number;
      /** Lower-case names. */
      header(name: string): string | null;
      /** Parsed JSON, undefined when the body is not JSON. */
      body: unknown;
      redirected: boolean;
    }
  /** No answer: the network failed or time ran out, and what the server did is unknown; or nothing was sent at all. */
  | { status: 0; reason: 'network' | 'timeout' | 'signed out' };

/** Who sends. Read in one go before each request. */
export interface Sender {
  token: string;
  userId: string;
  /** '' for the same origin, else an origin without a slash at the end. */
  apiBase: string;
}

export function buildHeaders(request: WireRequest, sender: Sender | null): Record<string, string> {
  const headers: Record<string, string> = {
    'x-requested-with': 'XMLHttpRequest',
    accept: 'application/json',
    ...request.headers,
  };
  if (sender) headers.authorization = `Bearer ${sender.token}`;
  if (request.body?.kind === 'json') headers['content-type'] = 'application/json';
  if (request.body?.kind === 'bytes') headers['content-type'] = request.body.contentType;
  return headers;
}

export function buildPayload(request: WireRequest): string | ArrayBuffer | FormData | undefined {
  const { body } = request;
  if (body === undefined) return undefined;
  if (body.kind === 'json') return JSON.stringify(body.value);
  if (body.kind === 'bytes') return body.value;
  const form = new FormData();
  for (const [name, value] of body.fields) form.append(name, value);
  for (const file of body.files) form.append(file.field, new Blob(file.parts, { type: file.type }), file.name);
  return form;
}

/** Undefined when the text is not JSON: a captive portal's page, an empty 204. */
export function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
