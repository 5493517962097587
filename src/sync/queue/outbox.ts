import { getEffect } from '#db/effects.ts';
import {
  canonicalId,
  getHomeType,
  isLocal,
  LOCAL,
  getOwnerType,
  serverId,
  findSetSection,
  getTargetType,
} from '#db/canonical.ts';
import { sectionOf } from '#contract/sections/index.ts';
import { setRows, wholeSet } from '#db/sets.ts';
import type { AccountDb } from '#db/database.ts';
import type { JournalEntry, OutboxRow } from '#db/rows.ts';
import { filled, pick } from '../conflict/merge.ts';
import { coalesce, isRefused, isUnsent, olderVersion } from './planner.ts';
import { createRecord } from '../operations/create-record.ts';
import { deleteRecord } from '../operations/delete-record.ts';
import { describeChange } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
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

/** Every table a change of the outbox may touch; one scope for all, so that no step is ever split. */
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

/**
 * The record under a change as the server last gave it, with the one-value sections that hold its fields. The version is
 * the oldest of the copies that hold them: a write based on it can overwrite nothing that has not been seen.
 */
export async function readMirror(
  db: AccountDb,
  type: string,
  canonical: string,
  fields: Iterable<string> = [],
): Promise<{ body: Values; version: number | null } | null> {
  const id = await serverId(db, canonical);
  if (id === null) return null;
  if (findSetSection(type)) {
    const rows = await setRows(db, type, id);
    return wholeSet(
      type,
      rows.map((row) => row.body),
    );
  }
  const own = await db.records.get([type, id]);
  const homes = new Set([...fields].map((field) => getHomeType(type, field)));
  if (homes.size === 0 || (homes.size === 1 && homes.has(type))) {
    return own === undefined ? null : { body: own.body, version: own.version };
  }
  let body: Values | null = own?.body ?? null;
  const versions: number[] = [];
  for (const home of homes) {
    const record = home === type ? own : await db.records.get([home, id]);
    if (record === undefined) continue;
    body = { ...(body ?? {}), ...record.body };
    if (record.version !== null) versions.push(record.version);
  }
  if (body === null) return null;
  return { body, version: versions.length > 0 ? Math.min(...versions) : (own?.version ?? null) };
}

/** @param extra.under the record under the row, for its words, where the caller has read it anyway */
export async function writeJournal(
  { db, clock }: Pick<OutboxPorts, 'db' | 'clock'>,
  row: OutboxRow,
  to: JournalEntry['to'],
  extra: { from?: JournalEntry['from']; status?: number | null; under?: Values; said?: string } = {},
): Promise<void> {
  // A new record is all in its patch.
  const isWhole = extra.under !== undefined || getEffect(row) === 'create';
  const under = isWhole ? extra.under : (await readMirror(db, row.type, row.target, Object.keys(row.patch)))?.body;
  await db.journal.add({
    op: row.op,
    kind: row.kind,
    type: getSubject(row),
    // A deleted record is gone by the time its end is written; what it was stands in the row.
    title: describeChange(row, { ...(getEffect(row) === 'delete' ? row.base : {}), ...under }),
    from: extra.from ?? row.state,
    to,
    ...(extra.said && { said: extra.said }),
    status: extra.status ?? null,
    at: clock.now(),
  });
}

type NewRow<Patch extends object> = Pick<OutboxRow<Patch>, 'op' | 'type' | 'target'> &
  Partial<Omit<OutboxRow<Patch>, 'kind' | 'seq' | 'v'>>;

/**
 * Queues a change. Call it inside a transaction over `getTables`.
 * @param given what is particular to this change; its lane follows from the operation
 * @param under the record under it, where the caller has read it anyway
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
 * Queues a new record under a local id. In a list that holds one record, and has it, the one is changed instead: what is
 * filled in, as the server does it, so that two devices lose nothing of each other's.
 * @param deps media ids the server must have first
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
    const owner = parent === null ? null : await canonicalId(db, 'profile', parent);
    const only = owner === null || sectionOf(type)?.maxItems !== 1 ? null : await onlyOne(db, type, owner);
    if (only !== null) {
      return { id: only, ...(await update(ports, type, only, filled(fields))) };
    }
    const after = owner !== null && isLocal(owner) ? [...deps, owner] : deps;
    await append(ports, createRecord, { op, type, target: id, parent: owner, patch: fields, deps: after });
    return { id, op };
  });
}

/** The record of a list that holds one, as screens know it; null where there is none, or its delete may have left. */
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

/** Queues an edit of some fields, folded into the last unsent row of the record where there is one. */
export async function update(
  ports: OutboxPorts,
  given: string,
  id: string,
  changed: Values,
): Promise<{ op: string | null }> {
  if (Object.keys(changed).length === 0) return { op: null };
  const { db, chance } = ports;
  const type = getOwnerType(given);
  const op = chance.uuid();
  return db.transaction('rw', getTables(db), async () => {
    const target = await canonicalId(db, getTargetType(type), id);
    const lane = getLane(type, target);
    let rows = await laneRows(db, lane);
    // An edit says that the record is wanted after all, also where the person is being asked just that.
    const removal = rows.at(-1);
    if (removal && getEffect(removal) === 'delete' && (isUnsent(removal) || removal.reason === 'conflict')) {
      await db.outbox.delete(removal.seq);
      await writeJournal(ports, removal, 'discarded');
      rows = rows.slice(0, -1);
    }
    const refused = rows.find((row) => isRefused(row) && row.reason !== 'conflict' && getEffect(row) !== 'delete');
    if (refused && refused.reason === 'invalid') {
      await renewWithEdits(ports, refused, changed, op);
      return { op };
    }
    const under = await readMirror(db, type, target, Object.keys(changed));
    const base = pick(under?.body ?? {}, Object.keys(changed));
    const baseVersion = under?.version ?? null;
    const merged = coalesce(rows.at(-1), { patch: changed, base, baseVersion });
    if (merged) {
      await db.outbox.put(merged);
      return { op: merged.op };
    }
    const isSet = findSetSection(type) !== undefined;
    const parent = isSet ? target : (rows[0]?.parent ?? (await parentOf(db, type, target)));
    // A set stands on its profile, which may have to be made first.
    const deps = isSet && isLocal(target) ? [target] : [];
    const row = { op, type, target, parent, patch: changed, base, baseVersion, deps };
    await append(ports, updateRecord, row, under?.body);
    return { op };
  });
}

async function parentOf(db: AccountDb, type: string, target: string): Promise<string | null> {
  const id = await serverId(db, target);
  const parent = id === null ? null : ((await db.records.get([type, id]))?.parent ?? null);
  return parent === null ? null : canonicalId(db, 'profile', parent);
}

/** Queues a delete, held for UNDO_MS so that it can be taken back without a trace. */
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
      // What the person saw when they let it go: their own unsent words count as seen.
      base: Object.assign({ ...under?.body }, ...rows.map((row) => row.patch)) as Values,
      baseVersion: under?.version ?? null,
      hold: true,
      notBefore: clock.now() + UNDO_MS,
    });
    return { op };
  });
}

/** Takes a delete back. False when it has left already. */
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

/** Queues the bytes of a stored file; call it inside a transaction over `getTables`. */
export async function appendUpload(ports: OutboxPorts, op: string, mediaId: string): Promise<OutboxRow> {
  const media = await ports.db.media.get(mediaId);
  if (media === undefined || media.state === 'importing') throw new Error('The file is not stored yet');
  return append(ports, uploadFile, { op, type: 'upload', target: mediaId });
}

/**
 * Queues the bytes of a stored file and the change that attaches them to a profile, in one transaction. An operation that
 * makes no record of its own replaces what waits in its lane and has not left.
 */
export async function attachFile<Patch extends object>(
  ports: OutboxPorts,
  operation: Operation<Patch>,
  about: { type: string; profileId: string; mediaId: string; patch: Patch },
): Promise<{ id: string; op: string }> {
  const { db, chance } = ports;
  const { type, mediaId, patch } = about;
  const op = chance.uuid();
  const uploadOp = chance.uuid();
  const made = LOCAL + chance.uuid();
  return db.transaction('rw', getTables(db), async () => {
    const owner = await canonicalId(db, 'profile', about.profileId);
    const id = operation.makesTarget ? made : owner;
    const parent = operation.makesTarget ? owner : null;
    await appendUpload(ports, uploadOp, mediaId);
    if (!operation.makesTarget) {
      const lane = await laneRows(db, operation.lane({ type, target: id, parent, patch }));
      for (const row of lane.filter((each) => isUnsent(each) || isRefused(each))) await drop(ports, row, 'replaced');
    }
    const deps = isLocal(owner) ? [mediaId, owner] : [mediaId];
    await append(ports, operation, { op, type, target: id, parent, patch, deps });
    return { id, op };
  });
}

/** Takes a row out, with the upload and bytes that only it needs. Inside a transaction over `getTables`. */
export async function drop(ports: OutboxPorts, row: OutboxRow, to: 'discarded' | 'replaced' | 'done'): Promise<void> {
  const { db } = ports;
  await writeJournal(ports, row, to);
  await db.outbox.delete(row.seq);
  await dropFiles(db, row);
}

/** The files that only this row needs, and what was to bring them. Inside a transaction over `getTables`. */
export async function dropFiles(db: AccountDb, row: OutboxRow): Promise<void> {
  for (const dep of row.deps) {
    const file = await db.media.get(dep);
    if (file === undefined) continue;
    await db.outbox.where('lane').equals(getLane('upload', dep)).delete();
    await deleteFile(db, dep);
  }
}

/** Bytes and all of a picked file. */
export async function deleteFile(db: AccountDb, mediaId: string): Promise<void> {
  await db.chunks.where('[media+n]').between([mediaId, 0], [mediaId, Infinity]).delete();
  await db.media.delete(mediaId);
}

/** What the server may have of a change that is given up or written anew: an earlier try may have been heard. */
export const getMaybeArrived = (row: OutboxRow): Values[] => [
  ...(row.givenUp ?? []),
  ...(getEffect(row) === 'update' && row.sentOnce ? [row.patch] : []),
];

/**
 * Puts a refused row back in its place in the lane with what the person changed, under a new key, together with the
 * unsent edits behind it. Inside a transaction over `getTables`.
 */
export async function renewWithEdits(
  ports: OutboxPorts,
  row: OutboxRow,
  fields: Values,
  op: string,
  over: Partial<OutboxRow> = {},
): Promise<void> {
  const { db } = ports;
  const behind = (await laneRows(db, row.lane)).filter((other) => other.seq > row.seq);
  let patch = row.patch;
  const under = getEffect(row) === 'update' ? await readMirror(db, row.type, row.target, Object.keys(fields)) : null;
  // A field that the refused change did not have stands on what is there now.
  let base = { ...pick(under?.body ?? {}, Object.keys(fields)), ...row.base };
  const givenUp = getMaybeArrived(row);
  let baseVersion = row.baseVersion;
  for (const later of behind) {
    // Mending says that the record is wanted after all.
    if (getEffect(later) === 'delete' && isUnsent(later)) {
      await db.outbox.delete(later.seq);
      await writeJournal(ports, later, 'discarded');
      continue;
    }
    if (getEffect(later) !== 'update' || !isUnsent(later)) break;
    patch = { ...patch, ...later.patch };
    base = { ...later.base, ...base };
    givenUp.push(...(later.givenUp ?? []));
    baseVersion = olderVersion(baseVersion, later.baseVersion);
    await db.outbox.delete(later.seq);
    await writeJournal(ports, later, 'replaced');
  }
  await writeJournal(ports, row, 'replaced');
  await db.outbox.put(renew({ ...row, base, baseVersion, givenUp, ...over, patch: { ...patch, ...fields } }, op));
}

/** The same intent under a new key, as if never sent. */
export function renew(row: OutboxRow, op: string): OutboxRow {
  const { reason: _reason, theirs: _theirs, lastError: _error, attempt: _attempt, recheck: _recheck, ...kept } = row;
  return { ...kept, op, state: 'queued', tries: 0, trouble: 0, sentOnce: false, notBefore: 0 };
}
