import { serverId } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import { pick } from '../conflict/merge.ts';
import { readMirror } from './mirror.ts';
import { getMaybeArrived } from './planner.ts';

/** More are not kept: each is of use only until the next pull of its record. */
const MOST_KEPT = 50;

/**
 * Keeps the values of an edit that is given up here although the server may have applied it. Until a pull tells, the
 * next edit of these fields must not take them for another device's. Call it inside a transaction over `getTables`.
 */
export async function keepGivenUp(db: AccountDb, row: OutboxRow): Promise<void> {
  const id = await serverId(db, row.target);
  if (id === null) return;
  const version = (await readMirror(db, row.type, row.target, Object.keys(row.patch)))?.version ?? null;
  const added = getMaybeArrived(row).map((patch) => ({ type: row.type, id, version, patch }));
  await db.meta.put({ k: 'given-up', edits: [...added, ...(await readAll(db))].slice(0, MOST_KEPT) });
}

/**
 * The values of these fields that were given up here and that the server may have applied since.
 * @param version of the record on this device. With a newer one, a pull has told what the server applied.
 */
export async function readGivenUp(
  db: AccountDb,
  { type, target, version }: { type: string; target: string; version: number | null },
  fields: readonly string[],
): Promise<Record<string, unknown>[]> {
  const edits = await readAll(db);
  const id = edits.length > 0 ? await serverId(db, target) : null;
  return edits
    .filter((edit) => edit.type === type && edit.id === id && (version ?? 0) <= (edit.version ?? 0))
    .map(({ patch }) => pick(patch, fields))
    .filter((patch) => Object.keys(patch).length > 0);
}

async function readAll(db: AccountDb) {
  const row = await db.meta.get('given-up');
  return row?.k === 'given-up' ? row.edits : [];
}
