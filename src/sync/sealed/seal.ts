import { isLocal } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import { getEffect } from '#db/effects.ts';
import type { IdPair, MediaChunk, MediaFile, OutboxRow } from '#db/rows.ts';
import { findOperation } from '../operations/index.ts';
import { toWireFields } from '../operations/record-calls.ts';
import { getTables } from '../queue/outbox.ts';
import { type LeftOut, MAX_MEDIA_BYTES, type SealedContents } from './contents.ts';

export interface Sealed {
  contents: SealedContents;
  leftOut: LeftOut;
}

/**
 * Marks the unsent changes as sealed and returns them with all that another device needs to send them. From then on their
 * payload is frozen under their key, because both devices may send it. Changes that do not fit, and those that must come
 * after one of them, are left out and stay as they are.
 * @param now milliseconds since the epoch
 */
export async function sealOutbox(db: AccountDb, now: number, maxBytes: number = MAX_MEDIA_BYTES): Promise<Sealed> {
  return db.transaction('rw', getTables(db), async () => {
    const all = await db.outbox.orderBy('seq').toArray();
    const files = await db.media.toArray();
    const { rows, tooBig } = chooseRows(all, files, maxBytes);
    const sealed: OutboxRow[] = [];
    for (const row of rows) {
      const isRecord = getEffect(row) === 'create' || getEffect(row) === 'update';
      const wire = isRecord && row.type === 'media' ? { wire: await toWireFields(db, row) } : {};
      const next = { ...row, ...wire, sealedAt: row.sealedAt ?? now };
      await db.outbox.put(next);
      sealed.push(next);
    }
    const used = new Set(sealed.flatMap(filesOf));
    const media = files.filter(({ id }) => used.has(id));
    const chunks: MediaChunk[] = [];
    for (const { id } of media) chunks.push(...(await chunksOf(db, id)));
    const locals = new Set(sealed.flatMap((row) => [row.target, row.parent ?? '', ...row.deps]).filter(isLocal));
    const ids = (await db.ids.bulkGet([...locals])).filter((pair): pair is IdPair => pair !== undefined);
    return {
      contents: { rows: sealed, ids, media, chunks },
      leftOut: { rows: all.length - rows.length, files: tooBig },
    };
  });
}

/** Counts what `sealOutbox` would seal and leave out, without marking anything. */
export async function previewSealing(
  db: AccountDb,
  maxBytes: number = MAX_MEDIA_BYTES,
): Promise<{ rows: OutboxRow[]; media: MediaFile[]; leftOut: LeftOut }> {
  return db.transaction('r', db.outbox, db.media, async () => {
    const all = await db.outbox.orderBy('seq').toArray();
    const files = await db.media.toArray();
    const { rows, tooBig } = chooseRows(all, files, maxBytes);
    const used = new Set(rows.flatMap(filesOf));
    const media = files.filter(({ id }) => used.has(id));
    return { rows, media, leftOut: { rows: all.length - rows.length, files: tooBig } };
  });
}

const chunksOf = (db: AccountDb, id: string) => db.chunks.where('[media+n]').between([id, 0], [id, Infinity]).toArray();

/** The ids of the picked files that a row may name. */
const filesOf = (row: OutboxRow): string[] => (getEffect(row) === 'upload' ? [row.target] : row.deps);

/** Chooses the rows that fit, with as many files as possible. */
function chooseRows(
  all: readonly OutboxRow[],
  files: readonly MediaFile[],
  maxBytes: number,
): { rows: OutboxRow[]; tooBig: MediaFile[] } {
  const named = new Set(all.flatMap(filesOf));
  const needed = files.filter(({ id }) => named.has(id)).sort((a, b) => a.size - b.size);
  let room = maxBytes;
  const tooBig = needed.filter(({ size }) => (room -= size) < 0);
  const out = new Set(tooBig.map(({ id }) => id));
  const outLanes = new Set<string>();
  let rows = [...all];
  // A row may come before one that it depends on, so one pass is not enough.
  for (let before = -1; before !== rows.length;) {
    before = rows.length;
    rows = rows.filter((row) => {
      const names = [...filesOf(row), ...row.deps, row.parent ?? ''];
      // This version cannot tell what a row of another version needs.
      const fits = row.v === 1 && !outLanes.has(row.lane) && !names.some((name) => out.has(name));
      if (fits) return true;
      outLanes.add(row.lane);
      if (findOperation(row)?.makesTarget !== false) out.add(row.target);
      return false;
    });
  }
  return { rows, tooBig };
}
