'fetched soon after the start';

import type { AccountDb } from '#db/database.ts';
import { CONNECTION } from '#db/people.ts';
import { digestHex, freeBytes, realChance, realClock, webLock } from '#lib/platform.ts';
import { forgetSeenMedia } from '#lib/stored-media.ts';
import { pageTransport } from '#net/client.ts';
import { keepAwake } from './keep-awake.ts';
import { fetchLookupsAhead } from './lookups.ts';
import { watch } from './read-safely.ts';
import { createEngine, type Engine } from '#sync/engine.ts';

/**
 * The engine with the page’s outside world: real time, Web Locks, axios. What forms will ask for is fetched beside it.
 * @param signal aborted when the account is left
 */
export function pageEngine(db: AccountDb, signal: AbortSignal): Engine {
  // Without signal the forms ask again.
  fetchLookupsAhead(db).catch(console.warn);
  if (!signal.aborted) keepAwake(db, signal);
  // What keeps a portfolio playable is fetched by those who have one.
  const countMedia = async ({ records }: AccountDb) =>
    records.where('[type+id]').between(['media', ''], ['media', '\uffff']).count();
  const endWatch = watch(db, countMedia, (count) => {
    if (count === 0) return;
    endWatch();
    import('./own-media.ts').then(({ keepOwnMedia }) => keepOwnMedia(db, signal)).catch(console.warn);
  });
  signal.addEventListener('abort', endWatch);
  const engine = createEngine(db, {
    clock: realClock,
    chance: realChance,
    transport: pageTransport,
    lock: webLock(`outbox:${db.name}`),
    digest: digestHex,
    freeBytes,
    dropCaches: forgetSeenMedia,
    requestWake: askForWake,
    loadConflictTools: () => import('#sync/server/basic/page-tools.ts'),
  });
  // Parting takes more along than what was between two: what they did, what one saved of theirs. The server says what. And
  // who says yes has a conversation, which a bare server does not tell of.
  const leave = engine.on(({ kind, type, to }) => {
    if ((type === CONNECTION || kind === 'accept') && to === 'done') engine.pull().catch(console.warn);
  });
  signal.addEventListener('abort', leave);
  return engine;
}

let asked = false;
/** A wake-up in the background where the browser has one, and its promise to keep what is stored. */
function askForWake(): void {
  void navigator.serviceWorker?.ready.then((registration) => {
    const { sync } = registration as ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };
    // Refused where the person switched background work off: the page sends on its own.
    sync?.register('outbox').catch(() => undefined);
  });
  if (asked) return;
  asked = true;
  void navigator.storage?.persist?.();
}
