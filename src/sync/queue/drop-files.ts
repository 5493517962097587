import type { AccountDb } from '#db/database.ts';
import { readDraftedFiles } from '#db/drafts.ts';
import type { OutboxRow } from '#db/rows.ts';

/**
 * Deletes a row's files and their uploads, unless another row needs them: several requests to audition may name the same file. Call it inside a transaction
 * over `getTables`.
 */
export async function dropFiles(db: AccountDb, row: OutboxRow): Promise<void> {
  for (const dep of row.deps) {
    const users = await db.outbox
      .where('deps')
      .equals(dep)
      .filter((other) => other.seq !== row.seq)
      .count();
    if (users > 0) continue;
    await db.outbox.where('lane').equals(`upload:${dep}`).delete();
    // A refused request goes back into its form, with its files.
    const isDrafted = await readDraftedFiles(db);
    if (!isDrafted(dep)) await deleteFile(db, dep);
  }
}

/** Deletes a picked file and its bytes. */
export async function deleteFile(db: AccountDb, mediaId: string): Promise<void> {
  await db.chunks.where('[media+n]').between([mediaId, 0], [mediaId, Infinity]).delete();
  await db.media.delete(mediaId);
}
