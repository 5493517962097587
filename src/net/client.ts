import { pathOf } from '#contract/path.ts';
import type { Endpoint } from '#contract/section.ts';
import { type AppError, toAppError, toNetworkError } from './app-error.ts';
import type { WireAnswer, WireRequest, Sender } from './wire.ts';

/** Where the server is: '' on the same origin, else set at build time. */
export const API_BASE: string = (import.meta.env.VITE_API_BASE_URL ?? '').replace(/\/$/, '');

const TIMEOUT_MS = 15_000;

export type Result<T> = { ok: true; data: T } | { ok: false; error: AppError };

let current: () => Sender | null = () => null;
/** Tells the client whose token goes with calls; the session owns it. */
export function setSender(sender: () => Sender | null): void {
  current = sender;
}

/** Whose token goes with calls now. */
export const currentSender = (): Sender | null => current();

const watchers = new Set<() => void>();
let reachable = true;
/** Whether the last request was answered at all, by anybody. */
export const reachability = {
  get: () => reachable,
  subscribe(watcher: () => void): () => void {
    watchers.add(watcher);
    return () => watchers.delete(watcher);
  },
};

function updateReachability(answer: WireAnswer): WireAnswer {
  const answered = !('reason' in answer);
  const silent = 'reason' in answer && answer.reason !== 'signed out';
  if (answered !== reachable && (answered || silent)) {
    reachable = answered;
    for (const watcher of watchers) watcher();
  }
  return answer;
}

/** The engine's transport in the page; what sends arrives in a chunk of its own, after the first paint. */
export const pageTransport = {
  async send(request: WireRequest, { userId }: { userId: string }): Promise<WireAnswer> {
    const load = await loadExchange();
    if (load === null) return updateReachability({ status: 0, reason: 'network' });
    const sender = current();
    if (sender === null || sender.userId !== userId) return { status: 0, reason: 'signed out' };
    return updateReachability(await load(request, sender, API_BASE));
  },
};

/** Null when the chunk itself cannot be fetched: then there is no network to speak of. */
async function loadExchange() {
  try {
    return (await import('./page-exchange.ts')).exchange;
  } catch {
    return null;
  }
}

/** Sends one call and tells an answer of the server from everything else. */
async function sendCall(
  request: WireRequest,
  as: Sender | null,
): Promise<Exclude<WireAnswer, { reason: string }> | AppError> {
  const load = await loadExchange();
  if (load === null) return toNetworkError('network');
  const answer = updateReachability(await load(request, as, API_BASE));
  if ('reason' in answer) return toNetworkError(answer.reason === 'timeout' ? 'timeout' : 'network');
  if (answer.status >= 400) return toAppError(answer.status, answer.body, answer.header('retry-after'));
  // A page in place of JSON was made by something between us and the server.
  const isOurs = !answer.redirected && (answer.status === 304 || (answer.status < 300 && answer.body !== undefined));
  return isOurs ? answer : toNetworkError('network');
}

/**
 * A call that only makes sense with the server in reach (sign-in, lists to choose from). What a person makes goes
 * through the engine instead. Failures are values.
 */
export async function call<T>(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  {
    params = {},
    query = {},
    body,
    as = current(),
  }: { params?: Record<string, string>; query?: Record<string, string>; body?: unknown; as?: Sender | null } = {},
): Promise<Result<T>> {
  const search = new URLSearchParams(query).toString();
  const answer = await sendCall(
    {
      method: endpoint.method,
      path: pathOf(endpoint, params) + (search ? `?${search}` : ''),
      headers: {},
      timeoutMs: TIMEOUT_MS,
      ...(body === undefined ? {} : { body: { kind: 'json', value: body } }),
    },
    as,
  );
  return 'reason' in answer ? { ok: false, error: answer } : { ok: true, data: answer.body as T };
}

/** What an address answered: something new with its ETag and, of a list, the cursor of its next page, or that the copy under the given tag is still right. */
export type Read<T> =
  | { ok: true; data: T; tag: string | null; next: string | null }
  | { ok: true; same: true }
  | { ok: false; error: AppError };

/**
 * Reads one address of the API, with the caller's token where there is one. Failures are values.
 * @param tag the ETag of the copy that is here
 */
export async function read<T>(
  path: string,
  { tag, headers = {} }: { tag?: string | undefined; headers?: Record<string, string> } = {},
): Promise<Read<T>> {
  const tagged = tag === undefined ? headers : { ...headers, 'if-none-match': tag };
  const answer = await sendCall({ method: 'GET', path, headers: tagged, timeoutMs: TIMEOUT_MS }, current());
  if ('reason' in answer) return { ok: false, error: answer };
  if (answer.status === 304) return { ok: true, same: true };
  return { ok: true, data: answer.body as T, tag: answer.header('etag'), next: answer.header('x-next-cursor') };
}
