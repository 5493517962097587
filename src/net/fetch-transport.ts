import { buildHeaders, type WireAnswer, type WireRequest, parseBody, buildPayload, type Sender } from './wire.ts';

/**
 * A Wi-Fi sign-in page may declare itself cacheable for an hour. With 'no-cache' the browser revalidates before it uses
 * a cached response. A request with its own If-None-Match needs the 304 itself, so it bypasses the browser's cache.
 */
const cacheMode = ({ headers }: Pick<WireRequest, 'headers'>): RequestCache =>
  'if-none-match' in headers ? 'no-store' : 'no-cache';

/**
 * Sends one request with fetch and returns the response, whatever its status.
 * @param sender null for a request without a token
 */
export async function exchangeByFetch(
  request: WireRequest,
  sender: Sender | null,
  apiBase: string,
): Promise<WireAnswer> {
  const payload = buildPayload(request);
  try {
    const response = await fetch((sender?.apiBase ?? apiBase) + request.path, {
      method: request.method,
      headers: buildHeaders(request, sender),
      // fetch does not report upload progress, so the timeout covers the whole request.
      signal: AbortSignal.timeout(request.timeoutMs),
      credentials: 'same-origin',
      cache: cacheMode(request),
      keepalive: request.keepalive === true,
      ...(payload === undefined ? {} : { body: payload }),
    });
    const text = await response.text();
    const { status, redirected, headers } = response;
    return { status, redirected, header: (name) => headers.get(name), body: parseBody(text) };
  } catch (error) {
    const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
    return { status: 0, reason: timedOut ? 'timeout' : 'network' };
  }
}

/** The engine's transport in the worker, which has neither axios nor XMLHttpRequest. */
export function fetchTransport(sender: () => Promise<Sender | null>) {
  return {
    async send(request: WireRequest, { userId }: { userId: string }): Promise<WireAnswer> {
      const who = await sender();
      if (who === null || who.userId !== userId) return { status: 0, reason: 'signed out' };
      const answer = await exchangeByFetch(request, who, who.apiBase);
      if (answer.status !== 401) return answer;
      // A page may have renewed the token since it was read.
      const now = await sender();
      const isReplaced = now?.userId === userId && now.token !== who.token;
      return isReplaced ? exchangeByFetch(request, now, now.apiBase) : answer;
    },
  };
}
