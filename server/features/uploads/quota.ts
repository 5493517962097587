import { eq, sum } from 'drizzle-orm';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { directUploads, storedFiles, uploads } from '#server/platform/db/schema.ts';
import { invalid } from '#server/platform/http/errors.ts';

type Quota = Pick<Config, 'maxStorageBytes'>;

/** Bytes left in this person's quota. Originals, smaller copies and the announced length of uploads count. */
export async function getFreeBytes(db: Db, { maxStorageBytes }: Quota, userId: number): Promise<number> {
  const [used] = await db
    .select({ bytes: sum(storedFiles.sizeBytes) })
    .from(storedFiles)
    .where(eq(storedFiles.userId, userId));
  const [pending] = await db
    .select({ bytes: sum(uploads.lengthBytes) })
    .from(uploads)
    .where(eq(uploads.userId, userId));
  const [direct] = await db
    .select({ bytes: sum(directUploads.sizeBytes) })
    .from(directUploads)
    .where(eq(directUploads.userId, userId));
  const taken = [used, pending, direct].reduce((total, row) => total + Number(row?.bytes ?? 0), 0);
  return Math.max(0, maxStorageBytes - taken);
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')} MB`;

/** Error message for files that exceed the quota. */
export const quotaMessage = ({ maxStorageBytes }: Quota, roomBytes: number) =>
  `Only ${megabytes(roomBytes)} of your ${megabytes(maxStorageBytes)} are left. Delete something to make room`;

/**
 * Checks the quota. The caller must hold the person's lock, so that two submissions cannot use the same free space.
 * @throws 422 on `storage`, which is not a field: the files themselves are valid and can be sent again
 */
export async function requireQuota(
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
