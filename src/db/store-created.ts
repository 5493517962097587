import type { AccountDb } from './database.ts';

/** When this store was created, ms since the epoch; null when that is not recorded yet. */
export async function readStoreCreatedAt(db: AccountDb): Promise<number | null> {
  const row = await db.meta.get('born');
  return row?.k === 'born' ? row.at : null;
}
