import { MEDIA_LOOKUP_FIELDS } from '#contract/media-types.ts';
import type { AccountDb } from '#db/database.ts';
import { readDraftedFiles } from '#db/drafts.ts';

/** Changes of media hold names, and are sent with the ids of these lists. */
const LISTS = new Set(Object.values(MEDIA_LOOKUP_FIELDS).map((list) => `lookup:${list}`));

/**
 * What stays of `meta`. Without its creation time (`born`), the store would be taken for a new one, and its changes for lost. The address
 * of a share link is nowhere else, nor are the other person's lines of the booth; and a film that waits for Wi-Fi must go on waiting.
 */
const isKeptMeta = (key: string): boolean =>
  LISTS.has(key) ||
  key === 'born' ||
  key === 'wifi-only' ||
  key.startsWith('link-token:') ||
  /^booth(-cue)?(:|$)/.test(key);

/**
 * Deletes everything but takes, drafts and the unsent changes, the ids they refer to, the files of both and the bytes of those files. Forms
 * say of a draft that it stays on this device.
 */
export async function keepOnlyUnsent(db: AccountDb): Promise<void> {
  const keptTables = new Set(['outbox', 'ids', 'media', 'chunks', 'meta', 'takes', 'slices', 'posters', 'drafts']);
  const others = db.tables.filter(({ name }) => !keptTables.has(name));
  await db.transaction('rw', db.tables, async () => {
    const rows = await db.outbox.toArray();
    const needed = new Set(rows.flatMap((row) => [row.target, row.parent, ...row.deps]));
    for (const table of others) await table.clear();
    const isDrafted = await readDraftedFiles(db);
    // A draft is found by the id that its record has on this device.
    await db.ids.filter(({ local }) => !needed.has(local) && !isDrafted(local)).delete();
    await db.media.filter(({ id }) => !needed.has(id) && !isDrafted(id)).delete();
    const files = new Set(await db.media.toCollection().primaryKeys());
    const chunkKeys = await db.chunks.toCollection().primaryKeys();
    await db.chunks.bulkDelete(chunkKeys.filter(([media]) => !files.has(media)));
    await db.meta.filter(({ k }) => !isKeptMeta(k)).delete();
  });
}
