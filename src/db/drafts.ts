import type { AccountDb } from './database.ts';

/** Returns whether a draft names a picked file. The drafts are read once, for many files. */
export async function readDraftedFiles(db: AccountDb): Promise<(mediaId: string) => boolean> {
  const drafts = JSON.stringify(await db.drafts.toArray());
  return (mediaId) => drafts.includes(mediaId);
}
