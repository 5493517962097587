import type { AccountDb } from '#db/database.ts';
import { readDraftedFiles } from '#db/drafts.ts';
import { deleteFile } from '../queue/drop-files.ts';

const FORGOTTEN_AFTER_MS = 3_600_000;

/** Whether a queued change refers to a picked file. */
export async function isUsed(db: AccountDb, mediaId: string): Promise<boolean> {
  const { outbox } = db;
  return (
    (await outbox.where('target').equals(mediaId).count()) + (await outbox.where('deps').equals(mediaId).count()) > 0
  );
}

/** Deletes files that nothing refers to: from abandoned forms and interrupted imports. Run it under the lock. */
export async function collectFiles(db: AccountDb, now: number): Promise<void> {
  await db.transaction('rw', [db.media, db.chunks, db.outbox, db.drafts], async () => {
    const isDrafted = await readDraftedFiles(db);
    for (const file of await db.media.toArray()) {
      const young = file.createdAt <= now && now - file.createdAt < FORGOTTEN_AFTER_MS;
      if (file.state === 'kept' || young || isDrafted(file.id) || (await isUsed(db, file.id))) continue;
      await deleteFile(db, file.id);
    }
  });
}
