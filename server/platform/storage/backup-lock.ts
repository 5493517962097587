import { LOCK } from '#server/platform/db/advisory-locks.ts';
import type { Db } from '#server/platform/db/connect.ts';

/**
 * Runs `work` in a transaction while no backup is being made. A backup copies the files that the rows of its snapshot refer to, so none of
 * them may be removed meanwhile, even when its row is deleted.
 * @returns null if a backup is being made
 */
export function runOutsideBackup<T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T | null> {
  return db.transaction(
    async (tx, [lock]) => ((lock?.rows[0] as { free: boolean }).free ? work(tx) : null),
    // Fails at once instead of waiting, since a backup may take hours.
    { opening: `select pg_try_advisory_xact_lock_shared(${LOCK.backup}) as free` },
  );
}
