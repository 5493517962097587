import { sql } from 'drizzle-orm';
import { LIMITS } from '#contract/limits.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ServerOptions } from '#server/platform/deps.ts';
import { removeUnreferenced, sweepStorage } from '#server/platform/storage/sweep.ts';
import { directStore, endDirectUpload, sweepQuarantine } from './direct.ts';
import { uploadStore } from './store.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Upper bound on the duration of a transaction or a write to storage. */
const MAX_TRANSACTION_MS = HOUR_MS;
/** Longer than the check of a file takes. */
const MAX_CHECK_MS = HOUR_MS;

/**
 * The time of the database or of this machine, whichever is earlier, in milliseconds since 1970. With a clock that is ahead, a file whose
 * transaction still runs would look old.
 */
async function getEarlierTime(db: Db, now: number): Promise<number> {
  const { rows } = await db.execute<{ ms: number }>(
    sql`select extract(epoch from clock_timestamp())::float * 1000 as ms`,
  );
  return Math.min(now, ...rows.map(({ ms }) => ms));
}

/**
 * Deletes uploads without activity for 7 days, then removes every stored file that no row references. Safe at any time and on
 * several nodes at once.
 * @param before newer files (by the storage's own clock) are kept, because their transaction may still be running. An hour ago by default
 */
export async function sweepFiles(
  { db, storage, clock }: Pick<ServerOptions, 'db' | 'storage' | 'clock'>,
  before?: Date,
) {
  const store = uploadStore(db, clock);
  const now = clock.now().getTime();
  const storedBefore = before ?? new Date((await getEarlierTime(db, now)) - MAX_TRANSACTION_MS);
  const expired = new Date(now - LIMITS.uploadDays * 24 * HOUR_MS);
  const idle = await store.idle(expired);
  for (const { id, userId } of idle) {
    await removeUnreferenced(db, storage, (await store.end(userId, id)) ?? []);
  }
  const direct = directStore(db, clock);
  const idleDirect = await direct.idle(expired);
  for (const { id, userId } of idleDirect) await endDirectUpload({ db, storage }, direct, userId, id);
  await direct.resubmit(new Date(now - MAX_CHECK_MS));
  let filesRemoved = await sweepStorage(db, storage, storedBefore);
  if (storage.quarantine !== undefined) filesRemoved += await sweepQuarantine(storage.quarantine, direct, storedBefore);
  return { uploadsEnded: idle.length + idleDirect.length, filesRemoved };
}
