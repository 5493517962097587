import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { type Door, ask, bodyOf, openDoor } from './http-proxy.ts';

/** The real server with everything that only this project's server has taken away: what another backend would be. */
export interface PlainServer extends Door {
  /** Every call it turned away with 404, e.g. 'GET /sync'. */
  refused(): string[];
}

/** The calls marked + in the wire contract, as method and path. */
const extras: [RegExp, RegExp][] = [
  [/./, /^\/(register|login|user|sessions|password|settings|account|sync|config|openapi\.json)(\/|$)/],
  [/./, /^\/(uploads|blocks|reports|conversations|notifications|insights)(\/|$)/],
  [/POST/, /^\/profile$/],
  [/GET/, /^\/(profile_types$|profiles\/(by-slug|page)\/|media\/[^/]+\/link$)/],
  [/PUT/, /^\/(skills|policies|jobroles|voice-characterstics|media)\/[^/]+$/],
  [/POST/, /^\/connections\/decline\//],
  [/DELETE/, /^\/connections\/[^/]+$/],
];
const lostOnTheWay = [
  'idempotency-key',
  'if-match',
  'if-none-match',
  'x-pending',
  'accept-encoding',
  'content-length',
  'host',
];
const neverSaid = [
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

const fieldsOfOurs = ['client_id', 'version', 'seq', 'has_more'];

const NOTHING = Buffer.alloc(0);

/** JSON without the fields another backend does not know, wherever they stand. */
function forget(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forget);
  if (value === null || typeof value !== 'object') return value;
  // Where two people write to each other, only the conversation's own call says.
  const isTie = 'connected_user_id' in value;
  const known = Object.entries(value).filter(
    ([key]) => !fieldsOfOurs.includes(key) && !(isTie && key === 'conversation_id'),
  );
  return Object.fromEntries(known.map(([key, inner]) => [key, forget(inner)]));
}

function forgetInJson(bytes: Buffer): Buffer {
  return bytes.length === 0 ? bytes : Buffer.from(JSON.stringify(forget(JSON.parse(bytes.toString('utf8')))));
}

/** A multipart body without its client_id part. Latin 1 keeps every byte as it is. */
function forgetInForm(bytes: Buffer, contentType: string): Buffer {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
  if (boundary === undefined) return bytes;
  const parts = bytes.toString('latin1').split(`--${boundary}`);
  return Buffer.from(
    parts.filter((part) => !/name="client_id"/.test(part.slice(0, 300))).join(`--${boundary}`),
    'latin1',
  );
}

/** Puts itself in front of the server on `port` of this machine. Make accounts and profiles at the server itself, before. */
export async function plainServer(port: number): Promise<PlainServer> {
  const refused: string[] = [];
  /** A conversation as another backend tells it: all of it at once, whatever part is asked for. */
  const askForChat = async (path: string, headers: IncomingHttpHeaders) => {
    const messages: { seq: number }[] = [];
    for (;;) {
      const part = `${path}?after_seq=${messages.at(-1)?.seq ?? 0}&limit=100`;
      const { answer, got } = await ask(port, { method: 'GET', path: part, headers, body: NOTHING });
      if (answer.statusCode !== 200) return { answer, got };
      const page = JSON.parse(got.toString('utf8')) as { messages: { seq: number }[]; has_more: boolean };
      messages.push(...page.messages);
      if (!page.has_more) return { answer, got: Buffer.from(JSON.stringify({ ...page, messages })) };
    }
  };

  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const url = new URL(incoming.url ?? '/', 'http://plain');
    const method = incoming.method ?? 'GET';
    const isCall =
      incoming.headers['x-requested-with'] !== undefined || !(incoming.headers.accept ?? '').includes('text/html');
    const sent = await bodyOf(incoming);
    if (isCall && extras.some(([verb, path]) => verb.test(method) && path.test(url.pathname))) {
      // Who is away does not even say no.
      await ask(port, { method: 'GET', path: '/healthz', headers: {}, body: NOTHING });
      refused.push(`${method} ${url.pathname}`);
      outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not found"}');
      return;
    }
    url.searchParams.delete('period');
    const type = incoming.headers['content-type'] ?? '';
    const body = type.includes('json')
      ? forgetInJson(sent)
      : type.includes('multipart')
        ? forgetInForm(sent, type)
        : sent;
    const headers = { ...without(incoming.headers, lostOnTheWay), 'content-length': String(body.length) };
    const isChat = method === 'GET' && /^\/chat\/[^/]+$/.test(url.pathname);
    const { answer, got } = isChat
      ? await askForChat(url.pathname, headers)
      : await ask(port, { method, path: url.pathname + url.search, headers, body });
    const isJson = (answer.headers['content-type'] ?? '').includes('application/json');
    outgoing.writeHead(answer.statusCode ?? 502, without(answer.headers, neverSaid));
    outgoing.end(isJson ? forgetInJson(got) : got);
  };

  const door = await openDoor((incoming, outgoing) => {
    // The server behind may be away: then this one is away too, and the line just ends.
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  return { ...door, refused: () => refused };
}
