import type { AccountDb } from './database.ts';

/** Forms left open: what was typed survives a closed sheet, a closed tab and a dead battery. */

export async function loadDraft(db: AccountDb, key: string): Promise<Record<string, unknown> | null> {
  return (await db.drafts.get(key))?.values ?? null;
}

/**
 * Keeps a draft where the store allows it. Where not, the words are still in the form and its Save says so: a draft is
 * no reason to alarm anybody.
 * @param now milliseconds since the epoch, for display
 */
export function keepDraft(db: AccountDb, key: string, values: Record<string, unknown>, now: number): void {
  db.drafts.put({ key, values, at: now }).catch((error: unknown) => console.warn('A draft was not kept', error));
}

export async function dropDraft(db: AccountDb, key: string): Promise<void> {
  await db.drafts.delete(key);
}
