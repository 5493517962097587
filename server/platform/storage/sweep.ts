import { inArray } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { storedFiles, uploadParts } from '#server/platform/db/schema.ts';
import type { Storage } from './storage.ts';

/**
 * Removes those of the files that no committed row refers to: files stored by a refused write, or replaced by a successful one. Call it
 * after the transaction. It checks the rows, so it never removes a file in use.
 */
export async function removeUnreferenced(db: Db, storage: Storage, keys: readonly string[]): Promise<void> {
  const referenced = await findReferencedKeys(db, keys);
  for (const key of keys) if (!referenced.has(key)) await storage.remove(key);
}

async function findReferencedKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const list = [...keys];
  const files = await db.select({ key: storedFiles.key }).from(storedFiles).where(inArray(storedFiles.key, list));
  const parts = await db.select({ key: uploadParts.key }).from(uploadParts).where(inArray(uploadParts.key, list));
  return new Set([...files, ...parts].map(({ key }) => key));
}

const BATCH_SIZE = 500;

/**
 * Removes every file in the store that no row refers to: leftovers of crashes and of deleted accounts.
 * @param before files stored later are kept, since their transaction may still be running
 * @returns the number of removed files
 */
export async function sweepStorage(db: Db, storage: Storage, before: Date): Promise<number> {
  let removed = await storage.clearUnfinished(before);
  let batch: string[] = [];
  const flush = async () => {
    const referenced = await findReferencedKeys(db, batch);
    const unreferenced = batch.filter((key) => !referenced.has(key));
    for (const key of unreferenced) await storage.remove(key);
    removed += unreferenced.length;
    batch = [];
  };
  for await (const { key, storedAt } of storage.list()) {
    if (storedAt < before) batch.push(key);
    if (batch.length >= BATCH_SIZE) await flush();
  }
  await flush();
  return removed;
}
