'fetched soon after the start';

import type { AccountDb } from '#db/database.ts';
import { forgetShared } from '#lib/shared-files.ts';
import { forgetStoredMedia } from '#lib/stored-media.ts';
import { writeCanary } from './canary.ts';
import { dropSpare, spareKeys } from './spare-drafts.ts';

export { queueFarewell } from '#db/farewells.ts';

/**
 * Removes an account's data at sign-out: everything, or, where the person chose to keep them, everything but the unsent
 * changes with their ids and bytes. Works without a network.
 */
export async function wipe(account: { db: AccountDb; close(): Promise<void> }, keepUnsent: boolean): Promise<void> {
  const { db } = account;
  await account.close();
  await Promise.all([forgetStoredMedia(), forgetShared()]);
  for (const key of spareKeys(db.name)) dropSpare(db.name, key);
  if (keepUnsent) {
    await db.open();
    await keepOnlyUnsent(db);
    db.close();
  } else {
    await db.delete();
    // Said, not left out: a note that is missing means that the browser has cleared everything.
    writeCanary(db.userId, { born: null, kinds: {} });
  }
}

/** Leaves the unsent changes, the ids they refer to, their files and the files' bytes, and nothing else. */
export async function keepOnlyUnsent(db: AccountDb): Promise<void> {
  const parts = new Set(['outbox', 'ids', 'media', 'chunks', 'meta']);
  const others = db.tables.filter(({ name }) => !parts.has(name));
  await db.transaction('rw', db.tables, async () => {
    const rows = await db.outbox.toArray();
    const needed = new Set(rows.flatMap((row) => [row.target, row.parent, ...row.deps]));
    for (const table of others) await table.clear();
    await db.ids.filter(({ local }) => !needed.has(local)).delete();
    await db.media.filter(({ id }) => !needed.has(id)).delete();
    const pieces = await db.chunks.toCollection().primaryKeys();
    await db.chunks.bulkDelete(pieces.filter(([media]) => !needed.has(media)));
    // Without the note of its birth the store would be taken for one that the browser has deleted.
    await db.meta.filter(({ k }) => k !== 'born').delete();
  });
}
