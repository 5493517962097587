'fetched soon after the start';

import type { AccountDb } from '#db/database.ts';
import { observeQuery } from '#open-store/store.ts';
import { whenIdle } from '#ui/when-idle.ts';
import { prefetchLookups } from '#shared/queries/lookups.ts';

/**
 * Starts what runs beside the engine while an account is open: prefetching the lists that forms need, the wake lock during
 * uploads, telling the server what waits, and prefetching the person's own recordings and the pages they are to read.
 * @param signal aborted when the account is closed
 */
export function startBackgroundTasks(db: AccountDb, signal: AbortSignal): void {
  // If this fails, each form asks again for the list it needs.
  prefetchLookups(db).catch(console.warn);
  whenIdle(
    () =>
      void import('#session/tell-waiting.ts').then(
        ({ keepTellingWaiting }) => keepTellingWaiting(db, signal),
        console.warn,
      ),
    { timeoutMs: 5000, fallbackMs: 500 },
  );
  // Takes that the end of the app interrupted are saved, and deletions finished.
  db.takes
    .where('state')
    .notEqual('sealed')
    .first()
    .then((take) => take && import('#shared/takes/recover-takes.ts').then(({ recoverTakes }) => recoverTakes(db)))
    .catch(console.warn);
  // Only people with a portfolio load the code that prefetches it.
  onceThereAre(
    db,
    countRecords('media'),
    async () => (await import('#shared/offline-media/prefetch-own-media.ts')).prefetchOwnMedia(db, signal),
    signal,
  );
  // Only performers who were asked load the code that fetches their pages and what makes tapes.
  onceThereAre(
    db,
    countRecords('audition'),
    async () => (await import('#shared/offline-media/keep-for-auditions.ts')).keepForAuditions(db, signal),
    signal,
  );
  // And only those who send a file, the code that keeps the screen awake.
  onceThereAre(
    db,
    ({ outbox }) => outbox.where('lane').startsWith('upload:').count(),
    async () => (await import('./wake-lock.ts')).keepScreenAwake(db, signal),
    signal,
  );
}

const countRecords =
  (type: string) =>
  ({ records }: AccountDb) =>
    records.where('[type+id]').between([type, ''], [type, '\uffff']).count();

/** Does something once, as soon as the store has some of what is counted. */
function onceThereAre(
  db: AccountDb,
  count: (db: AccountDb) => PromiseLike<number>,
  act: () => Promise<void>,
  signal: AbortSignal,
): void {
  const stopObserving = observeQuery(
    db,
    async (on) => count(on),
    (found) => {
      if (found === 0) return;
      stopObserving();
      act().catch(console.warn);
    },
  );
  signal.addEventListener('abort', stopObserving);
}
