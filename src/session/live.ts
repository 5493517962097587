'fetched soon after the start';

import { CALLS } from '#contract/calls.ts';
import type { ServerConfig } from '#contract/records/sync.ts';
import { API_BASE, call, currentSender, reach } from '#net/client.ts';
import type { Live } from '#realtime/live.ts';
import type { Engine } from '#sync/engine.ts';

/**
 * When the live connection begins after the page has come to rest, milliseconds: what was missed before is in the first
 * pull, and a phone that just opened the app has better things to fetch. A conversation on the screen does not wait.
 */
const REST_MS = 4000;
/** Hidden for longer than this, a socket may be dead without knowing; milliseconds. */
const AWAY_MS = 5000;

type Pusher = NonNullable<ServerConfig['pusher']>;

let begin: (() => void) | null = null;
let live: Live | null = null;
/** Conversations on the screen, with how to leave them once joined. */
const joined = new Map<string, (() => void) | null>();

/** Hears what is said in a conversation for as long as it is on the screen. The answer ends it. */
export function joinConversation(id: string): () => void {
  begin?.();
  joined.set(id, live?.join(id) ?? null);
  return () => {
    joined.get(id)?.();
    joined.delete(id);
  };
}

/** The token is another one: what was refused is asked for again. */
export const wakeLive = (): void => live?.wake();

/** Keeps a person's live connection from here on until they leave. */
export function keepLive(userId: string, engine: Engine, signal: AbortSignal): void {
  let hasBegun = false;
  let hiddenAt: number | null = null;
  begin = () => {
    if (hasBegun || signal.aborted) return;
    hasBegun = true;
    open(userId, engine, signal).catch(console.warn);
  };
  const rest = setTimeout(begin, REST_MS);
  if (joined.size > 0) begin();
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') hiddenAt = performance.now();
      else if (hiddenAt !== null && performance.now() - hiddenAt > AWAY_MS) live?.wake();
    },
    { signal },
  );
  // A page that comes back whole from the browser's memory has a dead socket.
  addEventListener('pageshow', ({ persisted }) => persisted && live?.wake(), { signal });
  signal.addEventListener('abort', () => {
    clearTimeout(rest);
    begin = null;
    live?.close();
    live = null;
    for (const id of joined.keys()) joined.set(id, null);
  });
}

async function open(userId: string, engine: Engine, signal: AbortSignal): Promise<void> {
  const pusher = await whereToListen(signal);
  if (pusher === null) return;
  const [{ openLive }, { setSocketId }] = await Promise.all([
    import('#realtime/live.ts'),
    import('#net/page-exchange.ts'),
  ]);
  if (signal.aborted) return;
  // What cannot be kept now is pulled again with the next cause.
  const quietly = (work: Promise<unknown>) => void work.catch(console.warn);
  const opened = openLive({
    pusher,
    apiBase: API_BASE,
    userId,
    token: () => currentSender()?.token ?? null,
    hearing: {
      message: (message) => quietly(engine.receiveMessage(message)),
      receipt: (receipt) => quietly(engine.receiveReceipt(receipt)),
      changed: () => quietly(engine.pull()),
      back: () => engine.wake('online'),
    },
  });
  live = opened;
  setSocketId(() => live?.socketId());
  for (const id of joined.keys()) joined.set(id, opened.join(id));
}

/** Where live updates come from, asked until somebody answers; null where there are none. */
async function whereToListen(signal: AbortSignal): Promise<Pusher | null> {
  for (;;) {
    const answer = await call<Partial<ServerConfig>>(CALLS.config);
    if (signal.aborted) return null;
    if (answer.ok) return answer.data.pusher ?? fromBuild();
    if (answer.error.reason === 'missing') return fromBuild();
    await someAnswer(signal);
  }
}

/** For a server that cannot tell: what the app was built with. */
function fromBuild(): Pusher | null {
  const { VITE_PUSHER_KEY: key, VITE_PUSHER_CLUSTER: cluster = 'ap2', VITE_PUSHER_HOST: host } = import.meta.env;
  if (!key) return null;
  return { key, cluster, host: host ?? `ws-${cluster}.pusher.com`, port: null, tls: true };
}

/** Resolves when the server has answered anything at all, or the person has left. */
function someAnswer(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stop();
      resolve();
    };
    const stop = reach.subscribe(() => reach.get() && done());
    signal.addEventListener('abort', done);
    // Answered already, with trouble: ask again in a while all the same.
    if (reach.get()) setTimeout(done, REST_MS);
  });
}
