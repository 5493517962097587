import type { AccountDb } from './database.ts';

/** When this store was made, ms since the epoch; null where nobody has noted it yet. */
export async function readStoreCreatedAt(db: AccountDb): Promise<number | null> {
  const row = await db.meta.get('born');
  return row?.k === 'born' ? row.at : null;
}
