import { pathOf } from '#contract/path.ts';
import type { Endpoint } from '#contract/section.ts';
import { type AppError, toAppError, toNetworkError } from './app-error.ts';
import type { WireAnswer, WireRequest, Sender } from './wire.ts';

/** Origin of the server, set at build time; '' for the same origin. */
export const API_BASE: string = (import.meta.env.VITE_API_BASE_URL ?? '').replace(/\/$/, '');

const TIMEOUT_MS = 15_000;

export type Result<T> = { ok: true; data: T } | { ok: false; error: AppError };

let current: () => Sender | null = () => null;
/** Sets the function that returns whose token is sent with calls. The session calls this. */
export function setSender(sender: () => Sender | null): void {
  current = sender;
}

/** Returns whose token is sent with calls now; null if nobody is signed in. */
export const currentSender = (): Sender | null => current();

const watchers = new Set<() => void>();
let reachable = true;
/** Whether the last request got any response, from whatever source. */
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

/** The engine's transport in the page. The code that sends is a chunk of its own, loaded after the first paint. */
export const pageTransport = {
  async send(request: WireRequest, { userId }: { userId: string }): Promise<WireAnswer> {
    const load = await loadExchange();
    if (load === null) return updateReachability({ status: 0, reason: 'network' });
    const sender = current();
    if (sender === null || sender.userId !== userId) return { status: 0, reason: 'signed out' };
    return updateReachability(await load(request, sender, API_BASE));
  },
};

/** Returns null if the chunk cannot be fetched; callers report that as a network failure. */
async function loadExchange() {
  try {
    return (await import('./page-exchange.ts')).exchange;
  } catch {
    return null;
  }
}

/** Sends one call and returns the server's response, or the error if it failed or something else answered. */
async function sendCall(
  request: WireRequest,
  as: Sender | null,
): Promise<Exclude<WireAnswer, { reason: string }> | AppError> {
  const load = await loadExchange();
  if (load === null) return toNetworkError('network');
  const answer = updateReachability(await load(request, as, API_BASE));
  if ('reason' in answer) return toNetworkError(answer.reason === 'timeout' ? 'timeout' : 'network');
  if (answer.status >= 400) return toAppError(answer.status, answer.body, answer.header('retry-after'));
  // A redirect or a body that is not JSON comes from a proxy or captive portal.
  const isOurs = !answer.redirected && (answer.status === 304 || (answer.status < 300 && answer.body !== undefined));
  return isOurs ? answer : toNetworkError('network');
}

/**
 * Calls an endpoint that only makes sense online (sign-in, lists to choose from). The user's changes go through the
 * engine instead. Never rejects: a failure is a value.
 */
export async function call<T>(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  {
    params = {},
    query = {},
    body,
    key,
    headers = {},
    as = current(),
  }: {
    params?: Record<string, string>;
    query?: Record<string, string>;
    body?: unknown;
    /** Idempotency-Key, for a call that is repeated. */
    key?: string;
    headers?: Record<string, string>;
    as?: Sender | null;
  } = {},
): Promise<Result<T>> {
  const search = new URLSearchParams(query).toString();
  const answer = await sendCall(
    {
      method: endpoint.method,
      path: pathOf(endpoint, params) + (search ? `?${search}` : ''),
      headers: key ? { ...headers, 'idempotency-key': key } : headers,
      timeoutMs: TIMEOUT_MS,
      ...(body === undefined ? {} : { body: { kind: 'json', value: body } }),
    },
    as,
  );
  return 'reason' in answer ? { ok: false, error: answer } : { ok: true, data: answer.body as T };
}

/**
 * The result of a read: new data with its ETag and, for a list, the cursor of the next page; or `same` if the copy is
 * current.
 */
export type Read<T> =
  | { ok: true; data: T; tag: string | null; next: string | null }
  | { ok: true; same: true }
  | { ok: false; error: AppError };

/**
 * Reads one resource of the API, with the user's token if there is one. Never rejects: a failure is a value.
 * @param tag the ETag of the local copy
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
