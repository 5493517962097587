/** The parts of a request and an answer that both transports share. */

/** Shapes of `src/sync/ports.ts`, repeated by structure: net stands below sync and may not import it. */
export interface Outgoing {
  method: string;
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

export type Incoming =
  | { status: number; header(name: string): string | null; body: unknown; redirected: boolean }
  | { status: 0; reason: 'network' | 'timeout' | 'signed out' };

/** Who sends. Read in one go before each request. */
export interface Sender {
  token: string;
  userId: string;
  /** '' for the same origin, else an origin without a slash at the end. */
  apiBase: string;
}

export function headersOf(request: Outgoing, sender: Sender | null): Record<string, string> {
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

export function payloadOf(request: Outgoing): string | ArrayBuffer | FormData | undefined {
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
