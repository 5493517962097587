/** Requests and responses as both transports use them. */

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
  /** Maximum time without a response or, where the transport reports progress, without progress. */
  timeoutMs: number;
  /** Whether the request goes on when its page is closed. */
  keepalive?: boolean;
}

export type WireAnswer =
  | {
      status: number;
      /** Returns a header by its lower-case name. */
      header(name: string): string | null;
      /** Parsed JSON; undefined if the body is not JSON. */
      body: unknown;
      redirected: boolean;
    }
  /**
   * No response. After 'network' and 'timeout' it is unknown what the server did; after 'signed out' nothing was sent.
   */
  | { status: 0; reason: 'network' | 'timeout' | 'signed out' };

/** The user in whose name a request is sent. Read as a whole before each request; its token changes when it is renewed. */
export interface Sender {
  token: string;
  userId: string;
  /** '' for the same origin, otherwise an origin without a trailing slash. */
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

/** Parses JSON. Undefined if the text is not JSON, such as a captive portal's page or an empty 204. */
export function parseBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
