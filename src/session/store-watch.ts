'fetched soon after the start';

import { bornAt } from '#db/born.ts';
import type { AccountDb } from '#db/database.ts';
import { readCanary, writeCanary, type Kinds } from './canary.ts';
import { watch } from './read-safely.ts';
import type { Loss } from './store-loss.ts';

interface Count {
  born: number | null;
  kinds: Kinds;
}

/** What waits in the store, by kind, and when that store was made; of one moment. */
export async function countWaiting(db: AccountDb): Promise<Count> {
  return db.transaction('r', [db.meta, db.outbox], async () => ({
    born: await bornAt(db),
    kinds: await countKinds(db),
  }));
}

/** Goes from kind to kind and lets the store count each: a queue may be long, and no row of it is read. */
async function countKinds({ outbox }: AccountDb): Promise<Kinds> {
  const kinds: Kinds = {};
  for (let from = ''; ;) {
    const [lane] = (await outbox.where('lane').aboveOrEqual(from).limit(1).keys()) as string[];
    if (lane === undefined) return kinds;
    const kind = lane.split(':', 1)[0]!;
    // In order right after every lane of this kind, for ';' follows ':'.
    const end = `${kind};`;
    // The bytes of a file and the change that attaches them are one change.
    if (kind !== 'upload') kinds[kind] = await outbox.where('lane').between(kind, end, true, false).count();
    from = end;
  }
}

/** The code for a broken store comes when there is one. */
const lossCode = () => import('./store-loss.ts');
const leaveStore = (why: Loss) => void lossCode().then((code) => code.leaveStore(why), reportError);

/**
 * Keeps the note of what waits, and watches over the store for as long as the account is open: one that the browser
 * deletes, breaks, or another tab brings to a newer version ends the page.
 * @param born of the store that was opened
 * @param onNewer the store belongs to a newer version of the app from now on
 */
export function watchStore(db: AccountDb, born: number | null, signal: AbortSignal, onNewer: () => void): void {
  const { userId } = db;
  let last: Kinds = readCanary(userId)?.kinds ?? {};

  const handle = (count: Count) => {
    if (signal.aborted) return;
    if (count.born === born) {
      last = count.kinds;
      writeCanary(userId, count);
      return;
    }
    // Another store stands here. Where the note was deleted too, as with all data of a site, it is written once more; at
    // a sign-out in another tab it stands there, and says that nothing waits.
    if (readCanary(userId) === null && Object.keys(last).length > 0) writeCanary(userId, { born, kinds: last });
    leaveStore('gone');
  };
  const endWatch = watch(db, countWaiting, handle, () => look());

  let isLooking = false;
  const look = (): void => {
    if (isLooking || signal.aborted) return;
    isLooking = true;
    lossCode()
      .then(({ readAgain }) => readAgain(db, countWaiting))
      .then(handle, reportError)
      .finally(() => (isLooking = false));
  };
  db.onLost = () => leaveStore('lost');
  // The browser closed the connection: it deletes the store, or its own database process is gone.
  db.on('close', () => queueMicrotask(look));
  db.on('versionchange', ({ newVersion }) => {
    if (newVersion === null) return;
    onNewer();
    db.close();
    leaveStore('newer');
    return false;
  });
  signal.addEventListener('abort', endWatch);
}
