import { inArray } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { directUploads, storedFiles, uploadParts } from '#server/platform/db/schema.ts';
import { runOutsideBackup } from './backup-lock.ts';
import { removeFilesLater } from './remove-files.ts';
import type { Storage } from './storage.ts';

/** Files that are checked and removed together. They are removed at the same time, so that the lock is held for a moment only. */
const GROUP_SIZE = 20;
/** When files that must wait for a backup are looked at again. */
const RETRY_DELAY_MS = 60_000;

/** Removes those of these few files that no row refers to. @returns how many; null if a backup needs them still */
const removeGroup = (db: Db, storage: Storage, keys: readonly string[]): Promise<number | null> =>
  runOutsideBackup(db, async (tx) => {
    const referenced = await findReferencedKeys(tx, keys);
    const unreferenced = keys.filter((key) => !referenced.has(key));
    await Promise.all(unreferenced.map((key) => storage.remove(key)));
    return unreferenced.length;
  });

/** Removes the unreferenced files group by group. @returns how many were removed, and the keys that must wait for a backup */
async function removeGroups(db: Db, storage: Storage, keys: readonly string[]) {
  let removed = 0;
  for (let at = 0; at < keys.length; at += GROUP_SIZE) {
    const count = await removeGroup(db, storage, keys.slice(at, at + GROUP_SIZE));
    if (count === null) return { removed, waiting: keys.slice(at) };
    removed += count;
  }
  return { removed, waiting: [] };
}

/**
 * Removes those of the files that no committed row refers to: files stored by a refused write, or replaced by a successful one. Call it
 * after the transaction. It checks the rows, so it never removes a file in use. While a backup is being made, it leaves the work to a job.
 */
export async function removeUnreferenced(db: Db, storage: Storage, keys: readonly string[]): Promise<void> {
  const { waiting } = await removeGroups(db, storage, keys);
  await removeFilesLater(db, waiting, { delayMs: RETRY_DELAY_MS });
}

async function findReferencedKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const list = [...keys];
  const files = await db.select({ key: storedFiles.key }).from(storedFiles).where(inArray(storedFiles.key, list));
  const parts = await db.select({ key: uploadParts.key }).from(uploadParts).where(inArray(uploadParts.key, list));
  const checked = await db
    .select({ key: directUploads.fileKey })
    .from(directUploads)
    .where(inArray(directUploads.fileKey, list));
  return new Set([...files, ...parts, ...checked].flatMap(({ key }) => key ?? []));
}

const BATCH_SIZE = 500;

/**
 * Removes every file in the store that no row refers to: leftovers of crashes and of deleted accounts. Stops when a backup begins; the next
 * sweep continues.
 * @param before files stored later are kept, since their transaction may still be running
 * @returns the number of removed files
 */
export async function sweepStorage(db: Db, storage: Storage, before: Date): Promise<number> {
  let removed = await storage.clearUnfinished(before);
  let batch: string[] = [];
  /** Returns whether no backup is in the way. */
  const flush = async () => {
    const done = await removeGroups(db, storage, batch);
    removed += done.removed;
    batch = [];
    return done.waiting.length === 0;
  };
  for await (const { key, storedAt } of storage.list()) {
    if (storedAt < before) batch.push(key);
    if (batch.length >= BATCH_SIZE && !(await flush())) return removed;
  }
  await flush();
  return removed;
}
