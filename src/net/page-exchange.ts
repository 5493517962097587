'fetched soon after the start';

import { exchangeByFetch } from './fetch-transport.ts';
import type { Sender, WireAnswer, WireRequest } from './wire.ts';

const UNAUTHORIZED = 401;
const PAGE_EXPIRED = 419;
const XSRF_COOKIE = /(?:^|; )XSRF-TOKEN=([^;]*)/;

/** What the session tells the transport of this page. */
interface PageSource {
  /** Id of this page's live socket. The server does not echo this page's writes to it. */
  socketId(): string | undefined;
  /**
   * Called after the server refused a token: another tab may have renewed it meanwhile.
   * @returns whether the sender has a new one now
   */
  hasNewToken(sender: Sender, refused: string): Promise<boolean>;
}
let source: PageSource | null = null;
export function setPageSource(page: PageSource): void {
  source = page;
}

/** This layer is compiled without the DOM types. */
const cookies = () => (globalThis as { document?: { cookie: string } }).document?.cookie ?? '';

function pageHeaders(request: WireRequest, base: string): Record<string, string> {
  const headers = { ...request.headers };
  const socket = request.method === 'GET' ? undefined : source?.socketId();
  if (socket !== undefined) headers['x-socket-id'] = socket;
  // The cookie belongs to this origin and must not be sent to another one.
  const token = base === '' ? XSRF_COOKIE.exec(cookies())?.[1] : undefined;
  if (token !== undefined) headers['x-xsrf-token'] = decodeURIComponent(token);
  return headers;
}

/**
 * Sends one request of the page and returns the response, whatever its status. Files are sent with axios, because
 * XMLHttpRequest reports upload progress. Everything else is sent with fetch, so that a visit without an upload does
 * not load the 17 kB of axios. If the XSRF-TOKEN cookie expired or the token was replaced, the server did nothing, and the
 * request is sent once more.
 * @param sender null for a request without a token
 */
export async function exchange(request: WireRequest, sender: Sender | null, apiBase: string): Promise<WireAnswer> {
  const hasFiles = request.body !== undefined && request.body.kind !== 'json';
  const send = hasFiles ? await loadAxios() : exchangeByFetch;
  // The code could not be fetched: report a network failure.
  if (send === null) return { status: 0, reason: 'network' };
  const attempt = () =>
    send({ ...request, headers: pageHeaders(request, sender?.apiBase ?? apiBase) }, sender, apiBase);
  const token = sender?.token;
  const answer = await attempt();
  const { status } = answer;
  const isRepeated =
    status === PAGE_EXPIRED || (status === UNAUTHORIZED && sender && (await source?.hasNewToken(sender, token!)));
  return isRepeated ? attempt() : answer;
}

async function loadAxios() {
  try {
    return (await import('./axios-transport.ts')).exchangeByAxios;
  } catch {
    return null;
  }
}
