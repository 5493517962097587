import { pathOf } from '#contract/path.ts';
import type { Endpoint } from '#contract/section.ts';
import { toAppError, toNetworkError } from './app-error.ts';
import { API_BASE, currentSender, type Result } from './client.ts';
import { buildHeaders, parseBody } from './wire.ts';

/** A download fails after this long without a further byte. */
const IDLE_TIMEOUT_MS = 60_000;
const JOIN_BYTES = 8 * 1024 * 1024;

/**
 * Fetches a file with the user's token. Never rejects for a failed download: a failure is a value.
 * @param onProgress receives the bytes so far and the total, which is null if the server does not send it
 */
export async function download(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  onProgress: (got: number, of: number | null) => void,
  signal: AbortSignal,
): Promise<Result<Blob>> {
  const control = new AbortController();
  const stop = () => control.abort();
  signal.addEventListener('abort', stop);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimeout = () => {
    clearTimeout(timer);
    timer = setTimeout(stop, IDLE_TIMEOUT_MS);
  };
  const sender = currentSender();
  const path = pathOf(endpoint);
  try {
    restartTimeout();
    const response = await fetch((sender?.apiBase ?? API_BASE) + path, {
      method: endpoint.method,
      headers: buildHeaders({ method: 'GET', path, headers: { accept: '*/*' }, timeoutMs: IDLE_TIMEOUT_MS }, sender),
      signal: control.signal,
      cache: 'no-cache',
    });
    const type = response.headers.get('content-type') ?? '';
    if (!response.ok) {
      const body = parseBody(await response.text());
      return { ok: false, error: toAppError(response.status, body, response.headers.get('retry-after')) };
    }
    // A redirect or an HTML page comes from a proxy or captive portal.
    if (response.redirected || response.body === null || type.startsWith('text/html')) {
      return { ok: false, error: toNetworkError('network') };
    }
    const { headers } = response;
    const length = Number(headers.get('content-length') ?? headers.get('x-archive-bytes') ?? NaN);
    const of = Number.isFinite(length) && length > 0 ? length : null;
    let parts: BlobPart[] = [];
    let got = 0;
    let joinedBytes = 0;
    const reader = response.body.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      restartTimeout();
      parts.push(read.value);
      got += read.value.byteLength;
      // Browsers keep large blobs on disk: a person's files may be far more than fits into memory.
      if (got - joinedBytes >= JOIN_BYTES) {
        parts = [new Blob(parts)];
        joinedBytes = got;
      }
      onProgress(got, of);
    }
    return { ok: true, data: new Blob(parts, { type }) };
  } catch (error) {
    // A lost connection is a TypeError, our own abort an AbortError; anything else is a bug.
    if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error;
    return { ok: false, error: toNetworkError(control.signal.aborted ? 'timeout' : 'network') };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
