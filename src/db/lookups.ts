import type { AccountDb } from './database.ts';

export interface LookupEntry {
  id: string;
  name: string;
  /** URL of a small picture. */
  icon?: string;
  /** Number of people in it, if the server counts them. */
  count?: number;
}

/** A list of choices as the server last sent it; empty when this device never had it. `name`: 'project_types'. */
export async function loadLookup(db: AccountDb, name: string): Promise<LookupEntry[]> {
  const row = await db.meta.get(`lookup:${name}`);
  return row && 'items' in row ? row.items : [];
}

export async function keepLookup(db: AccountDb, name: string, items: LookupEntry[]): Promise<void> {
  await db.meta.put({ k: `lookup:${name}`, items });
}
