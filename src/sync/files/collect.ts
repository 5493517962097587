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

/**
 * Deletes files that nothing refers to: from abandoned forms and interrupted imports, and the thumbnails of media that
 * are gone. Run it under the lock.
 */
export async function collectFiles(db: AccountDb, now: number): Promise<void> {
  await db.transaction('rw', [db.media, db.chunks, db.outbox, db.drafts, db.records], async () => {
    // Only what is kept has a server id. Its thumbnails are not read: a large portfolio has megabytes of them.
    const kept = new Map<string, string>();
    await db.media.orderBy('serverId').eachKey((id, { primaryKey }) => void kept.set(primaryKey, String(id)));
    const media = await db.records.where('[type+id]').between(['media', ''], ['media', []]).primaryKeys();
    const known = new Set(media.map(([, id]) => id));
    await db.media.bulkDelete([...kept.keys()].filter((id) => !known.has(kept.get(id)!)));
    const others = (await db.media.toCollection().primaryKeys()).filter((id) => !kept.has(id));
    const isDrafted = await readDraftedFiles(db);
    for (const file of await db.media.bulkGet(others)) {
      if (file === undefined) continue;
      const young = file.createdAt <= now && now - file.createdAt < FORGOTTEN_AFTER_MS;
      if (young || isDrafted(file.id) || (await isUsed(db, file.id))) continue;
      await deleteFile(db, file.id);
    }
  });
}
