import { eq, sum } from 'drizzle-orm';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { storedFiles, uploads } from '#server/platform/db/schema.ts';
import { invalid } from '#server/platform/http/errors.ts';

type Quota = Pick<Config, 'maxStorageBytes'>;

/** Bytes this person may still have stored. Originals and smaller copies count, and uploads in their announced length. */
export async function getFreeBytes(db: Db, { maxStorageBytes }: Quota, userId: number): Promise<number> {
  const [used] = await db
    .select({ bytes: sum(storedFiles.sizeBytes) })
    .from(storedFiles)
    .where(eq(storedFiles.userId, userId));
  const [pending] = await db
    .select({ bytes: sum(uploads.lengthBytes) })
    .from(uploads)
    .where(eq(uploads.userId, userId));
  return Math.max(0, maxStorageBytes - Number(used?.bytes ?? 0) - Number(pending?.bytes ?? 0));
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')} MB`;

/** What is said of files that do not fit. */
export const quotaMessage = ({ maxStorageBytes }: Quota, roomBytes: number) =>
  `Only ${megabytes(roomBytes)} of your ${megabytes(maxStorageBytes)} are left. Delete something to make room`;

/**
 * Under the person's lock, so that two submissions cannot share one room.
 * @throws 422 on `storage`, which is no field: nothing is wrong with the files, and they can be sent again
 */
export async function requireRoom(
  tx: Db,
  quota: Quota,
  userId: number,
  files: readonly { sizeBytes: number }[],
): Promise<void> {
  if (files.length === 0) return;
  const sizeBytes = files.reduce((total, file) => total + file.sizeBytes, 0);
  const roomBytes = await getFreeBytes(tx, quota, userId);
  if (sizeBytes > roomBytes) throw invalid({ storage: [quotaMessage(quota, roomBytes)] });
}
