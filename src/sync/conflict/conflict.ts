import { getEffect } from '#db/effects.ts';
import { SECTIONS, sectionOf } from '#contract/sections/index.ts';
import { getHomeType, serverId, findSetSection } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import { replaceSet } from '#db/sets.ts';
import type { CommitContext } from '../engine-ports.ts';
import { nothingIn, putMade, rebaseOnNothing } from '../send/acknowledge.ts';
import { getMergeBase, filled, merge3, pick, sameValue } from './merge.ts';
import { putMirror } from '../pull/apply.ts';
import { drop, laneRows, renew, type Values, writeJournal } from '../queue/outbox.ts';
import { changeState } from '../send/attention.ts';
import { NO_VERSION } from '../operations/operation.ts';
import { follows, withGivenUp } from '../queue/planner.ts';

/**
 * Merges a change with another device's edit of the same record. Fields that do not conflict are rebased and sent
 * again; conflicting fields wait for the user.
 */
export async function mergeTheirs(
  context: CommitContext,
  { forPage: _forPage, ...asked }: OutboxRow,
  theirs: Values,
  message: string,
): Promise<void> {
  const { db } = context;
  const row = getEffect(asked) === 'create' ? await toUpdate(db, asked, theirs) : asked;
  const id = await serverId(db, row.target);
  const version = typeof theirs.version === 'number' ? theirs.version : null;
  if (id !== null) await putTheirs(db, row, id, theirs);
  const { attempt: _attempt, checking: _checking, ...idle } = row;
  if (getEffect(row) === 'delete') {
    const seen = Object.keys(row.base).filter((field) => field !== 'version' && field !== 'updated_at');
    if (seen.some((field) => !sameValue(row.base[field], theirs[field]))) {
      const parked: OutboxRow = { ...idle, state: 'attention', reason: 'conflict', theirs: { body: theirs, version } };
      return changeState(context, row, { ...parked, lastError: { status: 412, message } });
    }
    await writeJournal(context, row, 'replaced');
    await db.outbox.put({ ...renew(row, context.chance.uuid()), baseVersion: version });
    return;
  }
  const base = getMergeBase(row, theirs);
  const merged = merge3(base, await getStillWanted(db, row, theirs), theirs);
  const left = new Set(await leaveToLater(db, row, merged.conflicts));
  const conflicts = merged.conflicts.filter((field) => !left.has(field) && !isPlace(row, field));
  const patch = pick(
    merged.patch,
    Object.keys(merged.patch).filter((field) => !left.has(field)),
  );
  if (conflicts.length > 0) {
    const parked: OutboxRow = {
      ...idle,
      patch,
      // A field that has our own discarded value on the server is not in conflict.
      base,
      state: 'attention',
      reason: 'conflict',
      theirs: { body: theirs, version },
    };
    return changeState(context, row, { ...parked, lastError: { status: 412, message } });
  }
  await rebaseOnAgreed(db, row, theirs);
  if (Object.keys(patch).length === 0) {
    // Both devices set the same values, so nothing is left to send.
    return drop(context, row, 'done');
  }
  await writeJournal(context, row, 'replaced');
  const next = { ...renew(row, context.chance.uuid()), baseVersion: version };
  if (isEmptied(row.type, { ...theirs, ...patch }) && (await laneRows(db, row.lane)).length === 1) {
    await db.outbox.put({ ...next, kind: 'delete', patch: {}, base: theirs });
    return;
  }
  await db.outbox.put({ ...next, patch, base: pick(theirs, Object.keys(patch)) });
}

/** Whether a field says where an item stands in the portfolio. Nothing can be lost of that: the last change holds, as on a shortlist. */
const isPlace = ({ type }: OutboxRow, field: string) => type === 'media' && field === 'position';

/**
 * The fields of a change, without those that have the value of a later change on the server. Another device has sent
 * that one from a sealed file; sending the earlier value now would undo it.
 */
async function getStillWanted(db: AccountDb, row: OutboxRow, theirs: Values): Promise<Values> {
  const later = (await laneRows(db, row.lane)).filter((each) => follows(each, row));
  const isOvertaken = (field: string) =>
    later.some(({ patch }) => field in patch && sameValue(patch[field], theirs[field]));
  return pick(
    row.patch,
    Object.keys(row.patch).filter((field) => !isOvertaken(field)),
  );
}

/**
 * Leaves conflicting fields that a later change of this row sets again to that one: the person is asked once, about the value that they
 * see. The later change takes over the values that another device may have sent from a sealed file.
 * @returns the fields that were left
 */
async function leaveToLater(db: AccountDb, row: OutboxRow, conflicts: readonly string[]): Promise<string[]> {
  const left: string[] = [];
  if (conflicts.length === 0) return left;
  for (const later of await laneRows(db, row.lane)) {
    if (getEffect(later) !== 'update' || !follows(later, row)) continue;
    const fields = conflicts.filter((field) => field in later.patch && !left.includes(field));
    if (fields.length === 0) continue;
    left.push(...fields);
    const sent = [...(row.givenUp ?? []), ...(row.sealedAt === undefined ? [] : [row.patch])];
    if (sent.length > 0) await db.outbox.put(withGivenUp(later, sent));
  }
  return left;
}

/**
 * Bases the changes behind one on the values that both devices gave to its fields. They have seen these, but not what
 * else the other device changed: they keep their version.
 */
async function rebaseOnAgreed(db: AccountDb, row: OutboxRow, theirs: Values): Promise<void> {
  const agreed = Object.keys(row.patch).filter((field) => sameValue(row.patch[field], theirs[field]));
  for (const later of await laneRows(db, row.lane)) {
    const seen = agreed.filter((field) => field in later.patch);
    if (!follows(later, row) || later.sentOnce || seen.length === 0) continue;
    await db.outbox.put({ ...later, base: { ...later.base, ...pick(row.patch, seen) } });
  }
}

/**
 * Turns a create in a single-record list, whose record another device has made, into an update with the filled fields.
 */
async function toUpdate(db: AccountDb, row: OutboxRow, theirs: Values): Promise<OutboxRow> {
  const { target, lane } = await putMade(db, row, theirs);
  await rebaseOnNothing(db, row, lane);
  // A pull since then has seen deletions, possibly of their record: read everything again.
  if (row.recheck) await db.cursors.clear();
  const patch = filled(row.patch);
  const base = nothingIn(Object.keys(patch));
  const change: OutboxRow = { ...row, kind: 'update', target, lane, patch, base, baseVersion: NO_VERSION, deps: [] };
  await db.outbox.put(change);
  return change;
}

/** Whether two devices together have cleared every field of a row. The server accepts no row without a value. */
function isEmptied(type: string, whole: Values): boolean {
  const section = sectionOf(type);
  if (!section?.endpoints.remove || section.cardinality !== 'many') return false;
  return Object.keys(section.fields).every((field) => whole[field] == null);
}

async function putTheirs(db: AccountDb, row: OutboxRow, id: string, theirs: Values): Promise<void> {
  if (findSetSection(row.type)) {
    if (Array.isArray(theirs.rows)) await replaceSet(db, row.type, id, theirs.rows as Values[]);
    return;
  }
  const homes = new Set([row.type, ...Object.keys(row.patch).map((field) => getHomeType(row.type, field))]);
  const foreign = new Set([...homes].filter((home) => home !== row.type));
  const beside = SECTIONS.filter((section) => foreign.has(section.key));
  const besideFields = new Set(beside.flatMap((section) => Object.keys(section.fields)));
  const known = await db.records.get([row.type, id]);
  const own = Object.fromEntries(Object.entries(theirs).filter(([field]) => !besideFields.has(field)));
  await putMirror(db, {
    type: row.type,
    id,
    parent: known?.parent ?? null,
    body: { ...(row.type === 'media' ? {} : known?.body), ...own },
  });
  for (const section of beside) {
    const body = { ...pick(theirs, Object.keys(section.fields)), ...pick(theirs, ['version']) };
    await putMirror(db, { type: section.key, id, parent: id, body });
  }
}
