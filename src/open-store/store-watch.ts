'fetched soon after the start';

import { readStoreCreatedAt } from '#db/store-created.ts';
import type { AccountDb } from '#db/database.ts';
import { type PendingCounts, readPendingWork, writePendingWork } from './pending-work-marker.ts';
import { observeQuery } from './store.ts';
import type { StoreLossReason } from './store-loss.ts';

/** What waits in a store; `born` says which store, by its creation time. */
interface PendingWork {
  born: number | null;
  kinds: PendingCounts;
}

/** Counts the unsent changes and the takes by kind and reads the creation time of the store, in one transaction. */
export async function countPendingWork(db: AccountDb): Promise<PendingWork> {
  return db.transaction('r', [db.meta, db.outbox, db.takes], async () => {
    const take = await db.takes.count();
    return {
      born: await readStoreCreatedAt(db),
      kinds: { ...(await countKinds(db)), ...(take > 0 && { take }) },
    };
  });
}

/** Has the index count each kind, so that no row of a long queue is read. */
async function countKinds({ outbox }: AccountDb): Promise<PendingCounts> {
  const kinds: PendingCounts = {};
  for (let from = ''; ;) {
    const [lane] = (await outbox.where('lane').aboveOrEqual(from).limit(1).keys()) as string[];
    if (lane === undefined) return kinds;
    const kind = lane.split(':', 1)[0]!;
    // ';' sorts right after ':', so this key follows every lane of the kind.
    const end = `${kind};`;
    // A file's bytes and the change that attaches them count as one change.
    if (kind !== 'upload') kinds[kind] = await outbox.where('lane').between(kind, end, true, false).count();
    from = end;
  }
}

/** Loaded only when a store is lost. */
const loadStoreLoss = () => import('./store-loss.ts');
const handleLoss = (reason: StoreLossReason) =>
  void loadStoreLoss().then(({ handleStoreLoss }) => handleStoreLoss(reason), reportError);

/**
 * Keeps the pending-work marker up to date, and reloads the page if the store is lost: if the browser deletes it or breaks
 * the connection, or another tab upgrades it.
 * @param createdAt creation time of the opened store
 * @param signal ends the watch
 * @param onUpgrade called when another tab upgrades the store to a newer version of the app
 */
export function watchStore(db: AccountDb, createdAt: number | null, signal: AbortSignal, onUpgrade: () => void): void {
  const { userId } = db;
  let last: PendingCounts = readPendingWork(userId)?.kinds ?? {};

  const handleCount = (pending: PendingWork) => {
    if (signal.aborted) return;
    if (pending.born === createdAt) {
      last = pending.kinds;
      writePendingWork(userId, pending);
      return;
    }
    // Another store has taken the place of this one. If the browser deleted the marker too, as with all data of a site, it
    // is written again. After a sign-out in another tab the marker exists and says that nothing waits.
    if (readPendingWork(userId) === null && Object.keys(last).length > 0)
      writePendingWork(userId, { born: createdAt, kinds: last });
    handleLoss('gone');
  };
  const stopObserving = observeQuery(db, countPendingWork, handleCount, () => check());

  let isChecking = false;
  const check = (): void => {
    if (isChecking || signal.aborted) return;
    isChecking = true;
    loadStoreLoss()
      .then(({ retryRead }) => retryRead(db, countPendingWork))
      .then(handleCount, reportError)
      .finally(() => (isChecking = false));
  };
  db.onConnectionLost = () => handleLoss('lost');
  // The browser closed the connection: it is deleting the store, or its database process has died.
  db.on('close', () => queueMicrotask(check));
  db.on('versionchange', ({ newVersion }) => {
    if (newVersion === null) return;
    onUpgrade();
    db.close();
    handleLoss('newer');
    return false;
  });
  signal.addEventListener('abort', stopObserving);
}
