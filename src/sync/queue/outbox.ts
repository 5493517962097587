import { getEffect } from '#db/effects.ts';
import {
  canonicalId,
  getParentType,
  isLocal,
  LOCAL,
  getOwnerType,
  serverId,
  findSetSection,
  getTargetType,
} from '#db/canonical.ts';
import { sectionOf } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import type { JournalEntry, OutboxRow } from '#db/rows.ts';
import { filled } from '../conflict/merge.ts';
import { coalesce, combineVersions, follows, getMaybeArrived, isRefused, isUnsent, olderVersion } from './planner.ts';
import { readBasis } from './basis.ts';
import { readMirror } from './mirror.ts';
import { dropFiles } from './drop-files.ts';
import { createRecord } from '../operations/create-record.ts';
import { deleteRecord } from '../operations/delete-record.ts';
import { describeChange } from '../operations/index.ts';
import { NO_VERSION, type Operation } from '../operations/operation.ts';
import { getSubject } from '../operations/record-words.ts';
import { updateRecord } from '../operations/update-record.ts';
import { uploadFile } from '../operations/upload-file.ts';
import type { Chance, Clock } from '../ports.ts';

export type Values = Record<string, unknown>;

/** How long a delete can be undone, ms. */
export const UNDO_MS = 5000;

export interface OutboxPorts {
  db: AccountDb;
  clock: Clock;
  chance: Chance;
}

/** Every table that an outbox change may touch. All transactions use this scope, so that no step is ever split. */
export const getTables = (db: AccountDb) => [
  db.outbox,
  db.records,
  db.ids,
  db.media,
  db.chunks,
  db.journal,
  db.meta,
  db.drafts,
  db.cursors,
  db.messages,
  db.readings,
];

export async function laneRows(db: AccountDb, lane: string): Promise<OutboxRow[]> {
  return db.outbox.where('lane').equals(lane).sortBy('seq');
}

/** Adds a journal entry. @param extra.under the row's record, for the title, if the caller has read it already */
export async function writeJournal(
  { db, clock }: Pick<OutboxPorts, 'db' | 'clock'>,
  row: OutboxRow,
  to: JournalEntry['to'],
  extra: Partial<Pick<JournalEntry, 'from' | 'status' | 'said' | 'unversioned'>> & { under?: Values } = {},
): Promise<void> {
  // The patch of a create holds the whole record.
  const isWhole = extra.under !== undefined || getEffect(row) === 'create';
  const under = isWhole ? extra.under : (await readMirror(db, row.type, row.target, Object.keys(row.patch)))?.body;
  await db.journal.add({
    op: row.op,
    kind: row.kind,
    type: getSubject(row),
    // The mirror has lost a deleted record by the time this entry is written. The row's base still holds it.
    title: describeChange(row, { ...(getEffect(row) === 'delete' ? row.base : {}), ...under }),
    from: extra.from ?? row.state,
    to,
    ...(extra.said && { said: extra.said }),
    ...(extra.unversioned && { unversioned: extra.unversioned }),
    status: extra.status ?? null,
    at: clock.now(),
  });
}

type NewRow<Patch extends object> = Pick<OutboxRow<Patch>, 'op' | 'type' | 'target'> &
  Partial<Omit<OutboxRow<Patch>, 'kind' | 'seq' | 'v'>>;

/**
 * Queues a change. Call it inside a transaction over `getTables`.
 * @param given the fields that differ from the defaults; the operation determines the lane
 * @param under the row's record, if the caller has read it already
 */
export async function append<Patch extends object>(
  ports: OutboxPorts,
  operation: Operation<Patch>,
  given: NewRow<Patch>,
  under?: Values,
): Promise<OutboxRow> {
  const { type, target, parent = null, patch = {} as Patch } = given;
  const row: Omit<OutboxRow<Patch>, 'seq'> = {
    v: 1,
    kind: operation.kind,
    parent,
    lane: operation.lane({ type, target, parent, patch }),
    patch,
    base: {},
    baseVersion: null,
    deps: [],
    state: 'queued',
    tries: 0,
    sentOnce: false,
    trouble: 0,
    notBefore: 0,
    createdAt: ports.clock.now(),
    ...given,
  };
  const queued = row as Omit<OutboxRow, 'seq'>;
  const seq = await ports.db.outbox.add(queued);
  const stored = { ...queued, seq };
  await writeJournal(ports, stored, 'queued', { from: 'new', ...(under && { under }) });
  return stored;
}

const getLane = (type: string, target: string) => `${type}:${target}`;

/**
 * Queues a new record under a local id. If the list allows one record and has it, queues an update of that record with
 * the filled-in fields instead, as the server does, so that neither of two devices loses the other's values.
 * @param deps ids of media that the server must have first
 */
export async function create(
  ports: OutboxPorts,
  type: string,
  parent: string | null,
  fields: Values,
  deps: string[] = [],
): Promise<{ id: string; op: string | null }> {
  const { db, chance } = ports;
  const id = LOCAL + chance.uuid();
  const op = chance.uuid();
  return db.transaction('rw', getTables(db), async () => {
    const owner = parent === null ? null : await canonicalId(db, getParentType(type), parent);
    const only = owner === null || sectionOf(type)?.maxItems !== 1 ? null : await onlyOne(db, type, owner);
    if (only !== null) {
      return { id: only, ...(await update(ports, type, only, filled(fields))) };
    }
    const isUnderLocal = owner !== null && isLocal(owner);
    const given = { op, type, target: id, parent: owner, patch: fields, deps: isUnderLocal ? [...deps, owner] : deps };
    // Another tab has discarded or deleted what this belongs to. It would wait for it for ever.
    const isOrphan =
      isUnderLocal &&
      (await serverId(db, owner)) === null &&
      (await db.outbox.where('target').equals(owner).count()) === 0;
    await append(ports, createRecord, isOrphan ? { ...given, state: 'attention', reason: 'gone' } : given);
    return { id, op };
  });
}

/** The id of the only record of a single-record list; null when there is none, or its delete may have been sent. */
async function onlyOne(db: AccountDb, type: string, owner: string): Promise<string | null> {
  const server = await serverId(db, owner);
  const rows = await db.outbox.where('[parent+type]').equals([owner, type]).toArray();
  const known = await db.records
    .where('[parent+type]')
    .equals([server ?? '', type])
    .toArray();
  const id = known.find(({ gone }) => !gone)?.id ?? rows.find((row) => getEffect(row) === 'create')?.target;
  if (id === undefined) return null;
  const name = await canonicalId(db, type, id);
  const isLeaving = (await laneRows(db, getLane(type, name))).some(
    (row) => getEffect(row) === 'delete' && !isUnsent(row),
  );
  return isLeaving ? null : name;
}

/**
 * Queues an edit of some fields, or merges it into the record's last row if that one is unsent.
 * @param seen the values that its author saw; without them, those that this device has now
 */
export async function update(
  ports: OutboxPorts,
  given: string,
  id: string,
  changed: Values,
  seen: Values = {},
): Promise<{ op: string | null }> {
  if (Object.keys(changed).length === 0) return { op: null };
  const { db, chance } = ports;
  const type = getOwnerType(given);
  const op = chance.uuid();
  return db.transaction('rw', getTables(db), async () => {
    const target = await canonicalId(db, getTargetType(type), id);
    const lane = getLane(type, target);
    let rows = await laneRows(db, lane);
    // An edit cancels a pending delete of the record, also one that the server refused or that waits because of a conflict.
    const removal = rows.at(-1);
    if (removal && getEffect(removal) === 'delete' && (isUnsent(removal) || isRefused(removal))) {
      await db.outbox.delete(removal.seq);
      await writeJournal(ports, removal, 'discarded');
      rows = rows.slice(0, -1);
    }
    const refused = rows.find(
      (row) => isRefused(row) && row.reason !== 'conflict' && !['delete', 'act'].includes(getEffect(row)),
    );
    if (refused && refused.reason === 'invalid') {
      await renewWithEdits(ports, refused, changed, op, { seen });
      return { op };
    }
    const { under, base, baseVersion, givenUp } = await readBasis(db, { type, target, rows }, changed, seen);
    const merged = coalesce(rows.at(-1), { patch: changed, base, baseVersion, givenUp });
    if (merged) {
      await db.outbox.put(merged);
      return { op: merged.op };
    }
    const isSet = findSetSection(type) !== undefined;
    const parent = isSet ? target : (rows[0]?.parent ?? (await parentOf(db, type, target)));
    // A set needs its profile, which may have to be created first.
    const deps = isSet && isLocal(target) ? [target] : [];
    const row = { op, type, target, parent, patch: changed, base, baseVersion, givenUp, deps };
    await append(ports, updateRecord, row, under?.body);
    return { op };
  });
}

async function parentOf(db: AccountDb, type: string, target: string): Promise<string | null> {
  const id = await serverId(db, target);
  const parent = id === null ? null : ((await db.records.get([type, id]))?.parent ?? null);
  return parent === null ? null : canonicalId(db, getParentType(type), parent);
}

/** Queues a delete and holds it for UNDO_MS, so that it can be undone before it is sent. */
export async function remove(ports: OutboxPorts, type: string, id: string): Promise<{ op: string }> {
  const { db, chance, clock } = ports;
  const op = chance.uuid();
  return db.transaction('rw', getTables(db), async () => {
    const target = await canonicalId(db, type, id);
    const lane = getLane(type, target);
    const rows = await laneRows(db, lane);
    const waiting = rows.find((row) => getEffect(row) === 'delete' && row.state !== 'attention');
    if (waiting) return { op: waiting.op };
    const under = await readMirror(db, type, target);
    const parent = rows[0]?.parent ?? (await parentOf(db, type, target));
    await append(ports, deleteRecord, {
      op,
      type,
      target,
      parent,
      // The record as the user saw it when deleting, including their own unsent edits.
      base: Object.assign(
        { ...under?.body },
        ...rows.map((row) => (getEffect(row) === 'act' ? {} : row.patch)),
      ) as Values,
      baseVersion: under?.version ?? null,
      hold: true,
      notBefore: clock.now() + UNDO_MS,
    });
    return { op };
  });
}

/** Cancels a delete. False when it was sent already. */
export async function undo(ports: OutboxPorts, op: string): Promise<boolean> {
  const { db } = ports;
  return db.transaction('rw', getTables(db), async () => {
    const row = await db.outbox.where('op').equals(op).first();
    if (row === undefined || getEffect(row) !== 'delete' || !isUnsent(row)) return false;
    await db.outbox.delete(row.seq);
    await writeJournal(ports, row, 'discarded');
    return true;
  });
}

/** Queues the bytes of a stored file. Call it inside a transaction over `getTables`. */
export async function appendUpload(ports: OutboxPorts, op: string, mediaId: string): Promise<OutboxRow> {
  const media = await ports.db.media.get(mediaId);
  if (media === undefined || media.state === 'importing') throw new Error('The file is not stored yet');
  return append(ports, uploadFile, { op, type: 'upload', target: mediaId });
}

/** Deletes a row, with its upload and its file. Call it inside a transaction over `getTables`. */
export async function drop(ports: OutboxPorts, row: OutboxRow, to: 'discarded' | 'replaced' | 'done'): Promise<void> {
  const { db } = ports;
  await writeJournal(ports, row, to);
  await db.outbox.delete(row.seq);
  await dropFiles(db, row);
}

/**
 * Requeues a refused row in its place, under a new key, with the user's corrections and the unsent edits behind it. Call
 * it inside a transaction over `getTables`.
 */
export async function renewWithEdits(
  ports: OutboxPorts,
  row: OutboxRow,
  fields: Values,
  op: string,
  { over = {}, seen }: { over?: Partial<OutboxRow>; seen?: Values } = {},
): Promise<void> {
  const { db } = ports;
  const lane = await laneRows(db, row.lane);
  // An act and a delete have no values to correct: the edits behind them stay changes of their own.
  const behind = ['act', 'delete'].includes(getEffect(row)) ? [] : lane.filter((other) => other.seq > row.seq);
  let { patch, base, baseVersion } = row;
  const givenUp = getMaybeArrived(row);
  if (getEffect(row) === 'update') {
    // A field that the refused change did not have takes its base, and so its version, from the current mirror.
    const basis = await readBasis(db, { ...row, rows: lane }, fields, seen);
    const isWider = Object.keys(fields).some((field) => !(field in row.patch));
    base = { ...basis.base, ...base };
    givenUp.push(...basis.givenUp);
    if (isWider) baseVersion = combineVersions(baseVersion, basis.baseVersion);
  }
  for (const later of behind) {
    // Correcting a record cancels its pending delete, also one that another device may send from a sealed file.
    if (getEffect(later) === 'delete' && later.state === 'queued' && !later.sentOnce) {
      await db.outbox.delete(later.seq);
      await writeJournal(ports, later, 'discarded');
      continue;
    }
    // A sealed edit is taken in as well, or it would overwrite the correction. The other device may still send it.
    if (getEffect(later) !== 'update' || later.state !== 'queued' || later.sentOnce || !follows(later, row)) break;
    patch = { ...patch, ...later.patch };
    base = { ...later.base, ...base };
    givenUp.push(...getMaybeArrived(later));
    // An edit that was made before a pull brought the record has seen no version; a create has none to see.
    const combine = getEffect(row) === 'update' ? combineVersions : olderVersion;
    baseVersion = combine(baseVersion, later.baseVersion);
    await db.outbox.delete(later.seq);
    await writeJournal(ports, later, 'replaced');
  }
  // Another device may have sent the sealed change, or a correction of its own, which this one has not seen.
  if (row.sealedAt !== undefined && getEffect(row) === 'update') baseVersion ??= NO_VERSION;
  await writeJournal(ports, row, 'replaced');
  await db.outbox.put(renew({ ...row, base, baseVersion, givenUp, ...over, patch: { ...patch, ...fields } }, op));
}

/** Returns the same change under a new key, as if it had never been sent. */
export function renew(row: OutboxRow, op: string): OutboxRow {
  const { reason: _reason, theirs: _theirs, lastError: _error, attempt: _attempt, recheck: _recheck, ...rest } = row;
  const { sealedAt: _sealedAt, isConfirmed: _isConfirmed, wire: _wire, resent: _resent, ...kept } = rest;
  return { ...kept, op, state: 'queued', tries: 0, trouble: 0, sentOnce: false, notBefore: 0 };
}
