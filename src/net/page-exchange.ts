'fetched soon after the start';

import { exchangeByFetch } from './fetch-transport.ts';
import type { Sender, WireAnswer, WireRequest } from './wire.ts';

const PAGE_EXPIRED = 419;
const XSRF_COOKIE = /(?:^|; )XSRF-TOKEN=([^;]*)/;

let socketId: () => string | undefined = () => undefined;
/** Tells whose live socket the server may leave out when it sends round what this page writes. */
export function setSocketId(of: () => string | undefined): void {
  socketId = of;
}

/** This layer is compiled without a page around it. */
const cookies = () => (globalThis as { document?: { cookie: string } }).document?.cookie ?? '';

function pageHeaders(request: WireRequest, base: string): Record<string, string> {
  const headers = { ...request.headers };
  const socket = request.method === 'GET' ? undefined : socketId();
  if (socket !== undefined) headers['x-socket-id'] = socket;
  // Another origin's cookies are not ours to read out to it.
  const token = base === '' ? XSRF_COOKIE.exec(cookies())?.[1] : undefined;
  if (token !== undefined) headers['x-xsrf-token'] = decodeURIComponent(token);
  return headers;
}

/**
 * One request of the page, any status an answer. Files go by axios, whose XMLHttpRequest tells how far they are; all else
 * goes by fetch, so that a visit without an upload does without seventeen kilobytes of it. Where the XSRF-TOKEN cookie was
 * renewed between two requests, the server has done nothing and the request goes again.
 * @param sender null for a call without a token
 */
export async function exchange(request: WireRequest, sender: Sender | null, apiBase: string): Promise<WireAnswer> {
  const hasFiles = request.body !== undefined && request.body.kind !== 'json';
  const send = hasFiles ? await loadAxios() : exchangeByFetch;
  // Code that cannot be fetched: there is no network to speak of.
  if (send === null) return { status: 0, reason: 'network' };
  const attempt = () =>
    send({ ...request, headers: pageHeaders(request, sender?.apiBase ?? apiBase) }, sender, apiBase);
  const answer = await attempt();
  return answer.status === PAGE_EXPIRED ? attempt() : answer;
}

async function loadAxios() {
  try {
    return (await import('./axios-transport.ts')).exchangeByAxios;
  } catch {
    return null;
  }
}
