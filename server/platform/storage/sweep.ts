import { inArray } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { storedFiles, uploadParts } from '#server/platform/db/schema.ts';
import type { Storage } from './storage.ts';

/**
 * Removes those of the files that no committed row knows: what a refused write has stored, or what a successful one has
 * let go of. Call it after the transaction; rows decide, so it cannot remove too much.
 */
export async function removeUnreferenced(db: Db, storage: Storage, keys: readonly string[]): Promise<void> {
  const known = await knownKeys(db, keys);
  for (const key of keys) if (!known.has(key)) await storage.remove(key);
}

async function knownKeys(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const list = [...keys];
  const files = await db.select({ key: storedFiles.key }).from(storedFiles).where(inArray(storedFiles.key, list));
  const parts = await db.select({ key: uploadParts.key }).from(uploadParts).where(inArray(uploadParts.key, list));
  return new Set([...files, ...parts].map(({ key }) => key));
}

const BATCH = 500;

/**
 * Goes through the whole store and removes what no row knows: leftovers of crashes and of deleted accounts.
 * @param before files stored later are left alone, their transaction may still be under way
 * @returns how many were removed
 */
export async function sweepStorage(db: Db, storage: Storage, before: Date): Promise<number> {
  let removed = await storage.clearUnfinished(before);
  let batch: string[] = [];
  const flush = async () => {
    const known = await knownKeys(db, batch);
    const unknown = batch.filter((key) => !known.has(key));
    for (const key of unknown) await storage.remove(key);
    removed += unknown.length;
    batch = [];
  };
  for await (const { key, storedAt } of storage.list()) {
    if (storedAt < before) batch.push(key);
    if (batch.length >= BATCH) await flush();
  }
  await flush();
  return removed;
}
