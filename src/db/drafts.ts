import type { AccountDb } from './database.ts';

/** Returns whether a draft names a picked file, or a record by its id on this device. The drafts are read once, for many ids. */
export async function readDraftedFiles(db: AccountDb): Promise<(id: string) => boolean> {
  const drafts = JSON.stringify(await db.drafts.toArray());
  return (id) => drafts.includes(id);
}
