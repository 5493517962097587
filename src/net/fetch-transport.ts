import { buildHeaders, type WireAnswer, type WireRequest, parseBody, buildPayload, type Sender } from './wire.ts';

/**
 * A sign-in page of a Wi-Fi may say that it can be kept for an hour: the browser's cache asks the server before it answers
 * for it. A request that names the copy it has keeps the answer 304 for itself.
 */
const cacheMode = ({ headers }: Pick<WireRequest, 'headers'>): RequestCache =>
  'if-none-match' in headers ? 'no-store' : 'no-cache';

/** One request over fetch, any status an answer. @param sender null for a call without a token */
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
      // fetch tells nothing of progress, so the whole request has the time that silence would have.
      signal: AbortSignal.timeout(request.timeoutMs),
      credentials: 'same-origin',
      cache: cacheMode(request),
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

/** The engine's transport in the worker, where axios and XMLHttpRequest are not. */
export function fetchTransport(sender: () => Promise<Sender | null>) {
  return {
    async send(request: WireRequest, { userId }: { userId: string }): Promise<WireAnswer> {
      const who = await sender();
      if (who === null || who.userId !== userId) return { status: 0, reason: 'signed out' };
      return exchangeByFetch(request, who, who.apiBase);
    },
  };
}
