'fetched soon after the start';

import type { AccountDb } from '#db/database.ts';
import { observeQuery } from '#session/store.ts';
import { whenIdle } from '#ui/when-idle.ts';
import { prefetchLookups } from '#shared/queries/lookups.ts';
import { keepScreenAwake } from './wake-lock.ts';

/**
 * Starts what runs beside the engine while an account is open: prefetching the lists that forms need, the wake lock during
 * uploads, telling the server what waits, and prefetching the person's own recordings.
 * @param signal aborted when the account is closed
 */
export function startBackgroundTasks(db: AccountDb, signal: AbortSignal): void {
  // If this fails, each form asks again for the list it needs.
  prefetchLookups(db).catch(console.warn);
  if (!signal.aborted) keepScreenAwake(db, signal);
  whenIdle(
    () =>
      void import('#session/tell-waiting.ts').then(
        ({ keepTellingWaiting }) => keepTellingWaiting(db, signal),
        console.warn,
      ),
    { timeoutMs: 5000, fallbackMs: 500 },
  );
  // Only people with a portfolio load the code that prefetches it.
  const countMedia = async ({ records }: AccountDb) =>
    records.where('[type+id]').between(['media', ''], ['media', '\uffff']).count();
  const stopObserving = observeQuery(db, countMedia, (count) => {
    if (count === 0) return;
    stopObserving();
    import('#shared/offline-media/prefetch-own-media.ts')
      .then(({ prefetchOwnMedia }) => prefetchOwnMedia(db, signal))
      .catch(console.warn);
  });
  signal.addEventListener('abort', stopObserving);
}
