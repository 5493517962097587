import type { Media } from '#contract/records/media.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { requireQuota } from '#server/features/uploads/quota.ts';
import { listFiles, insertMedia, presentMediaFor, type MediaRow } from './store.ts';
import type { PreparedSubmission } from './prepared.ts';

interface Work {
  db: Db;
  changes: ChangeLog;
  caller: Caller;
  now: Date;
}

/**
 * Adds the submitted items to a profile, in order. The caller's row must be locked.
 * @throws 422 on `storage` if the quota is exceeded
 */
export async function attach(
  { db, changes, caller, now }: Work,
  config: Pick<Config, 'maxStorageBytes'>,
  profileId: number,
  submissions: readonly PreparedSubmission[],
): Promise<Media[]> {
  await requireQuota(db, config, caller.userId, submissions.flatMap(listFiles));
  const rows: MediaRow[] = [];
  for (const each of submissions) {
    rows.push(...(await insertMedia(db, { userId: caller.userId, profileId }, each, now)));
  }
  for (const row of rows) changes.recordChange(row.userId, 'media', String(row.id), String(row.profileId));
  return presentMediaFor(db, caller, rows);
}
