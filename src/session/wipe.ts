'fetched soon after the start';

import type { AccountDb } from '#db/database.ts';
import { clearShared } from '#lib/shared-files.ts';
import { clearStoredMedia } from '#lib/stored-media.ts';
import { writePendingWork } from '#session/pending-work-marker.ts';
import { removeBackup, listBackups } from '#session/draft-backup.ts';

export { queueSignOut as queueFarewell } from '#db/pending-sign-outs.ts';

/**
 * Removes an account's data at sign-out. Works offline.
 * @param options `keepsUnsent` leaves the unsent changes with their ids and files
 */
export async function wipeAccountData(
  account: { db: AccountDb; close(): Promise<void> },
  { keepsUnsent }: { keepsUnsent: boolean },
): Promise<void> {
  const { db } = account;
  await account.close();
  await Promise.all([clearStoredMedia(), clearShared()]);
  for (const key of listBackups(db.name)) removeBackup(db.name, key);
  if (keepsUnsent) {
    await db.open();
    await keepOnlyUnsent(db);
    db.close();
  } else {
    await db.delete();
    // Written even though nothing waits: a missing marker means that the browser has deleted all data.
    writePendingWork(db.userId, { born: null, kinds: {} });
  }
}

/** Deletes everything but the unsent changes, the ids they refer to, their files and the bytes of those files. */
export async function keepOnlyUnsent(db: AccountDb): Promise<void> {
  const keptTables = new Set(['outbox', 'ids', 'media', 'chunks', 'meta']);
  const others = db.tables.filter(({ name }) => !keptTables.has(name));
  await db.transaction('rw', db.tables, async () => {
    const rows = await db.outbox.toArray();
    const needed = new Set(rows.flatMap((row) => [row.target, row.parent, ...row.deps]));
    for (const table of others) await table.clear();
    await db.ids.filter(({ local }) => !needed.has(local)).delete();
    await db.media.filter(({ id }) => !needed.has(id)).delete();
    const chunkKeys = await db.chunks.toCollection().primaryKeys();
    await db.chunks.bulkDelete(chunkKeys.filter(([media]) => !needed.has(media)));
    // Without its creation time the store would be taken for a new one, and its changes for lost.
    await db.meta.filter(({ k }) => k !== 'born').delete();
  });
}
