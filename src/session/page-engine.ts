'fetched soon after the start';

import type { AccountDb } from '#db/database.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import { isOnMobileData, watchMobileData } from '#lib/mobile-data.ts';
import { freeBytes, realChance, realClock, webLock } from '#lib/platform.ts';
import { clearSeenMedia } from '#lib/stored-media.ts';
import { pageTransport } from '#net/client.ts';
import { createEngine, type Engine } from '#sync/engine.ts';

/**
 * Creates the engine with the ports of a page: real time, Web Locks and axios.
 * @param signal aborted when the account is closed
 */
export function createPageEngine(db: AccountDb, signal: AbortSignal): Engine {
  const engine = createEngine(db, {
    clock: realClock,
    chance: realChance,
    transport: pageTransport,
    lock: webLock(`outbox:${db.name}`),
    openDigest: async (fileBytes) => (await import('#lib/file-digest.ts')).openDigest(fileBytes),
    freeBytes,
    dropCaches: clearSeenMedia,
    isOnMobileData,
    requestWake: requestBackgroundSync,
    loadConflictTools: () => import('#sync/conflict/tools.ts'),
  });
  // A disconnect also removes what the two did and saved of each other, and only the server knows what that is. Accepting a
  // request opens a conversation, which a basic API does not announce.
  const unsubscribe = engine.on(({ kind, type, to }) => {
    if ((type === CONNECTION || kind === 'accept') && to === 'done') engine.pull().catch(console.warn);
  });
  signal.addEventListener('abort', unsubscribe);
  watchMobileData(() => engine.wake('online'), signal);
  return engine;
}

let hasAskedToPersist = false;
/** Registers a background sync where the browser has one, and once asks the browser not to evict the stored data. */
function requestBackgroundSync(): void {
  void navigator.serviceWorker?.ready.then((registration) => {
    const { sync } = registration as ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };
    // The browser refuses if the person disabled background activity; the page then sends on its own.
    sync?.register('outbox').catch(() => undefined);
  });
  if (hasAskedToPersist) return;
  hasAskedToPersist = true;
  void navigator.storage?.persist?.();
}
