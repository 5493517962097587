import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';

/** Deletes a row's files and their uploads. Call it inside a transaction over `getTables`. */
export async function dropFiles(db: AccountDb, row: OutboxRow): Promise<void> {
  for (const dep of row.deps) {
    const file = await db.media.get(dep);
    if (file === undefined) continue;
    await db.outbox.where('lane').equals(`upload:${dep}`).delete();
    await deleteFile(db, dep);
  }
}

/** Deletes a picked file and its bytes. */
export async function deleteFile(db: AccountDb, mediaId: string): Promise<void> {
  await db.chunks.where('[media+n]').between([mediaId, 0], [mediaId, Infinity]).delete();
  await db.media.delete(mediaId);
}
