import { headersOf, type WireAnswer, type WireRequest, parseBody, payloadOf, type Sender } from './wire.ts';

/** The engine's transport over fetch: for the worker, where axios and XMLHttpRequest are not. */
export function fetchTransport(sender: () => Promise<Sender | null>) {
  return {
    async send(request: WireRequest, { userId }: { userId: string }): Promise<WireAnswer> {
      const who = await sender();
      if (who === null || who.userId !== userId) return { status: 0, reason: 'signed out' };
      const payload = payloadOf(request);
      try {
        const response = await fetch(who.apiBase + request.path, {
          method: request.method,
          headers: headersOf(request, who),
          // fetch tells nothing of progress, so the whole request has the time that silence would have.
          signal: AbortSignal.timeout(request.timeoutMs),
          credentials: 'same-origin',
          ...(payload === undefined ? {} : { body: payload }),
        });
        const text = await response.text();
        const { status, redirected, headers } = response;
        return { status, redirected, header: (name) => headers.get(name), body: parseBody(text) };
      } catch (error) {
        const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
        return { status: 0, reason: timedOut ? 'timeout' : 'network' };
      }
    },
  };
}
