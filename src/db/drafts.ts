import type { AccountDb } from './database.ts';

/** Forms left open: what was typed survives a closed sheet, a closed tab and a dead battery. */

export async function loadDraft(db: AccountDb, key: string): Promise<Record<string, unknown> | null> {
  return (await db.drafts.get(key))?.values ?? null;
}

/** @param now milliseconds since the epoch, for display */
export async function saveDraft(
  db: AccountDb,
  key: string,
  values: Record<string, unknown>,
  now: number,
): Promise<void> {
  await db.drafts.put({ key, values, at: now });
}

export async function dropDraft(db: AccountDb, key: string): Promise<void> {
  await db.drafts.delete(key);
}
