import { eq, sum } from 'drizzle-orm';
import type { Config } from '#server/config.ts';
import type { Db } from '#server/db/connect.ts';
import { storedFiles } from '#server/db/schema.ts';
import { invalid } from '#server/http/errors.ts';

type Quota = Pick<Config, 'maxStorageBytes'>;

/** Bytes this person may still have stored: originals and smaller copies count, unfinished uploads have a limit of their own. */
export async function roomOf(db: Db, { maxStorageBytes }: Quota, userId: number): Promise<number> {
  const [used] = await db
    .select({ bytes: sum(storedFiles.sizeBytes) })
    .from(storedFiles)
    .where(eq(storedFiles.userId, userId));
  return Math.max(0, maxStorageBytes - Number(used?.bytes ?? 0));
}

const megabytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1).replace(/\.0$/, '')} MB`;

/** What is said of files that do not fit. */
export const noRoom = ({ maxStorageBytes }: Quota, roomBytes: number) =>
  `Only ${megabytes(roomBytes)} of your ${megabytes(maxStorageBytes)} are left. Delete something to make room`;

/** Under the person's lock, so that two submissions cannot share one room. @throws 422 on `files` */
export async function requireRoom(
  tx: Db,
  quota: Quota,
  userId: number,
  files: readonly { sizeBytes: number }[],
): Promise<void> {
  if (files.length === 0) return;
  const sizeBytes = files.reduce((total, file) => total + file.sizeBytes, 0);
  const roomBytes = await roomOf(tx, quota, userId);
  if (sizeBytes > roomBytes) throw invalid({ files: [noRoom(quota, roomBytes)] });
}
