import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type HttpProxy, forwardRequest, readBody, startHttpProxy } from './http-proxy.ts';

/** A proxy that reduces the real server to the basic API, as another backend would implement it. */
export interface BasicApiProxy extends HttpProxy {
  /** Calls to extension endpoints that it answered with 404, e.g. 'GET /sync'. */
  rejectedCalls(): string[];
}

/** Endpoints that the basic API does not have, as method and path. */
const EXTENSION_ENDPOINTS: [RegExp, RegExp][] = [
  [/./, /^\/(register|login|user|sessions|password|settings|account|sync|config|openapi\.json)(\/|$)/],
  [/./, /^\/(email|name|secure|links|passkeys|recovery-codes|reauth|challenge|mail|devices|push)(\/|$)/],
  [/./, /^\/(consents|guardian|born-on|of-age|appeals|restrictions|desk)(\/|$)/],
  [/./, /^\/(uploads|blocks|reports|conversations|notifications|insights)(\/|$)/],
  [/POST/, /^\/profile$/],
  [/GET/, /^\/(profile_types$|profiles\/(by-slug|page)\/|media\/[^/]+\/link$)/],
  [/PUT/, /^\/(skills|policies|jobroles|voice-characterstics|media)\/[^/]+$/],
  [/POST/, /^\/connections\/decline\//],
  [/DELETE/, /^\/connections\/[^/]+$/],
];
const DROPPED_REQUEST_HEADERS = [
  'idempotency-key',
  'if-match',
  'if-none-match',
  'x-pending',
  'x-pending-detail',
  'x-store',
  'accept-encoding',
  'content-length',
  'host',
];
const DROPPED_RESPONSE_HEADERS = [
  'etag',
  'idempotency-replayed',
  'x-next-cursor',
  'content-length',
  'transfer-encoding',
  'connection',
];

function without(headers: IncomingHttpHeaders, names: string[]): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

const EXTENSION_FIELDS = ['client_id', 'version', 'seq', 'has_more'];

const EMPTY_BODY = Buffer.alloc(0);

/** Removes extension fields from JSON at any depth. */
function removeExtensionFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeExtensionFields);
  if (value === null || typeof value !== 'object') return value;
  // In the basic API only the conversation's own endpoint has the conversation id.
  const isConnection = 'connected_user_id' in value;
  const known = Object.entries(value).filter(
    ([key]) => !EXTENSION_FIELDS.includes(key) && !(isConnection && key === 'conversation_id'),
  );
  return Object.fromEntries(known.map(([key, inner]) => [key, removeExtensionFields(inner)]));
}

function removeFromJson(bytes: Buffer): Buffer {
  return bytes.length === 0
    ? bytes
    : Buffer.from(JSON.stringify(removeExtensionFields(JSON.parse(bytes.toString('utf8')))));
}

/** Removes the client_id part from a multipart body. Latin 1 preserves every byte. */
function removeFromForm(bytes: Buffer, contentType: string): Buffer {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
  if (boundary === undefined) return bytes;
  const parts = bytes.toString('latin1').split(`--${boundary}`);
  return Buffer.from(
    parts.filter((part) => !/name="client_id"/.test(part.slice(0, 300))).join(`--${boundary}`),
    'latin1',
  );
}

/** Starts the proxy in front of `port` on localhost. Create accounts and profiles on the server itself first. */
export async function startBasicApiProxy(port: number): Promise<BasicApiProxy> {
  const refused: string[] = [];
  /** Reads a whole conversation, since the basic API ignores paging. */
  const readWholeChat = async (path: string, headers: IncomingHttpHeaders) => {
    const messages: { seq: number }[] = [];
    for (;;) {
      const part = `${path}?after_seq=${messages.at(-1)?.seq ?? 0}&limit=100`;
      const { answer, got } = await forwardRequest(port, { method: 'GET', path: part, headers, body: EMPTY_BODY });
      if (answer.statusCode !== 200) return { answer, got };
      const page = JSON.parse(got.toString('utf8')) as { messages: { seq: number }[]; has_more: boolean };
      messages.push(...page.messages);
      if (!page.has_more) return { answer, got: Buffer.from(JSON.stringify({ ...page, messages })) };
    }
  };

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const url = new URL(incoming.url ?? '/', 'http://basic-api');
    const method = incoming.method ?? 'GET';
    const isCall =
      incoming.headers['x-requested-with'] !== undefined || !(incoming.headers.accept ?? '').includes('text/html');
    const sent = await readBody(incoming);
    if (isCall && EXTENSION_ENDPOINTS.some(([verb, path]) => verb.test(method) && path.test(url.pathname))) {
      // Throws if the server is down, so that the proxy is down too.
      await forwardRequest(port, { method: 'GET', path: '/healthz', headers: {}, body: EMPTY_BODY });
      refused.push(`${method} ${url.pathname}`);
      outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not found"}');
      return;
    }
    url.searchParams.delete('period');
    const type = incoming.headers['content-type'] ?? '';
    const body = type.includes('json')
      ? removeFromJson(sent)
      : type.includes('multipart')
        ? removeFromForm(sent, type)
        : sent;
    const headers = { ...without(incoming.headers, DROPPED_REQUEST_HEADERS), 'content-length': String(body.length) };
    const isChat = method === 'GET' && /^\/chat\/[^/]+$/.test(url.pathname);
    const { answer, got } = isChat
      ? await readWholeChat(url.pathname, headers)
      : await forwardRequest(port, { method, path: url.pathname + url.search, headers, body });
    const isJson = (answer.headers['content-type'] ?? '').includes('application/json');
    outgoing.writeHead(answer.statusCode ?? 502, without(answer.headers, DROPPED_RESPONSE_HEADERS));
    outgoing.end(isJson ? removeFromJson(got) : got);
  };

  const proxy = await startHttpProxy((incoming, outgoing) => {
    // If the server is down, close the connection without a response.
    handle(incoming, outgoing).catch(() => outgoing.destroy());
  });
  return { ...proxy, rejectedCalls: () => refused };
}
