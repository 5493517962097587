'fetched soon after the start';

import { readSession } from '#db/device.ts';
import { CALLS } from '#contract/calls.ts';
import type { ServerConfig } from '#contract/records/sync.ts';
import { API_BASE, call, currentSender, reachability } from '#net/client.ts';
import { setPageSource } from '#net/page-exchange.ts';
import type { Live } from '#realtime/live.ts';
import type { Engine } from '#sync/engine.ts';

/**
 * Delay before the live connection opens: the first pull brings what was missed, and a phone that just opened the app has
 * more urgent things to fetch. An open conversation does not wait.
 */
const START_DELAY_MS = 4000;
/** After a page was hidden for this long, its socket may be dead without a close event. */
const MAX_HIDDEN_MS = 5000;

type Pusher = NonNullable<ServerConfig['pusher']>;

let connectNow: (() => void) | null = null;
let live: Live | null = null;
/** Open conversations with the function that leaves each; null until it is joined. */
const joined = new Map<string, (() => void) | null>();

/** Subscribes to the live messages of a conversation. @returns unsubscribes */
export function joinConversation(id: string): () => void {
  connectNow?.();
  joined.set(id, live?.join(id) ?? null);
  return () => {
    joined.get(id)?.();
    joined.delete(id);
  };
}

/** Subscribes again to channels that were refused. Call it after the token has changed. */
export const wakeLive = (): void => live?.wake();

/**
 * Keeps a person's live connection open.
 * @param signal closes it; aborted when the account is closed
 */
export function startLiveUpdates(userId: string, engine: Engine, signal: AbortSignal): void {
  let hasStarted = false;
  let hiddenAt: number | null = null;
  connectNow = () => {
    if (hasStarted || signal.aborted) return;
    hasStarted = true;
    open(userId, engine, signal).catch(console.warn);
  };
  const timer = setTimeout(connectNow, START_DELAY_MS);
  setPageSource({ socketId: () => live?.socketId(), hasNewToken: adoptToken });
  // Another tab has renewed the token. Local storage is written last, so the new one is stored everywhere.
  addEventListener('storage', ({ key }) => key === 'token' && void adoptToken(), { signal });
  // Another tab has signed out. The store is to be deleted, even if that tab has ended meanwhile.
  const leave = async () => {
    if ((await readSession())?.userId === userId) return;
    const { handleStoreLoss } = await import('#open-store/store-loss.ts');
    handleStoreLoss('gone');
  };
  addEventListener('storage', ({ key }) => key === 'farewell' && void leave().catch(console.warn), { signal });
  if (joined.size > 0) connectNow();
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') hiddenAt = performance.now();
      else if (hiddenAt !== null && performance.now() - hiddenAt > MAX_HIDDEN_MS) live?.wake();
    },
    { signal },
  );
  // A page restored from the back/forward cache has a dead socket.
  addEventListener('pageshow', ({ persisted }) => persisted && live?.wake(), { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    connectNow = null;
    live?.close();
    live = null;
    for (const id of joined.keys()) joined.set(id, null);
  });
}

/** Uses the token that another tab has stored, if it is not the refused one. @returns whether it does */
const adoptToken = (sender = currentSender(), refused = sender?.token): Promise<boolean> =>
  import('./stored-session.ts').then(
    ({ adoptStoredToken }) => adoptStoredToken(sender, refused, wakeLive),
    () => false,
  );

async function open(userId: string, engine: Engine, signal: AbortSignal): Promise<void> {
  const pusher = await fetchPusherConfig(signal);
  if (pusher === null) return;
  const { openLive } = await import('#realtime/live.ts');
  if (signal.aborted) return;
  // The next pull brings what could not be stored now.
  const ignoreFailure = (work: Promise<unknown>) => void work.catch(console.warn);
  const opened = openLive({
    pusher,
    apiBase: API_BASE,
    userId,
    token: () => currentSender()?.token ?? null,
    handlers: {
      onMessage: (...event) => ignoreFailure(engine.receiveMessage(...event)),
      onReceipt: (receipt) => ignoreFailure(engine.receiveReceipt(receipt)),
      onChange: () => ignoreFailure(engine.pull()),
      onConnected: () => engine.wake('online'),
    },
  });
  live = opened;
  for (const id of joined.keys()) joined.set(id, opened.join(id));
}

/** Asks the server where its live endpoint is until it answers. Returns null if it has none. */
async function fetchPusherConfig(signal: AbortSignal): Promise<Pusher | null> {
  for (;;) {
    const answer = await call<Partial<ServerConfig>>(CALLS.config);
    if (signal.aborted) return null;
    if (answer.ok) return answer.data.pusher ?? getBuildConfig();
    if (answer.error.reason === 'missing') return getBuildConfig();
    await waitForServer(signal);
  }
}

/** The endpoint set at build time, for a server without a configuration call. */
function getBuildConfig(): Pusher | null {
  const { VITE_PUSHER_KEY: key, VITE_PUSHER_CLUSTER: cluster = 'ap2', VITE_PUSHER_HOST: host } = import.meta.env;
  if (!key) return null;
  return { key, cluster, host: host ?? `ws-${cluster}.pusher.com`, port: null, tls: true };
}

/** Resolves when the server has answered any request, or the account is closed. */
function waitForServer(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop();
      resolve();
    };
    const stop = reachability.subscribe(() => reachability.get() && done());
    signal.addEventListener('abort', done);
    // The server is reachable but answered with an error: retry after a while.
    if (reachability.get()) setTimeout(done, START_DELAY_MS);
  });
}
