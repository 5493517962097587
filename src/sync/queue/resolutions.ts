import { getEffect } from '#db/effects.ts';
import { LOCAL, isLocal, serverId } from '#db/canonical.ts';
import { sectionOf } from '#contract/sections/index.ts';
import type { OutboxRow } from '#db/rows.ts';
import { pick } from '../conflict/merge.ts';
import { rebaseOnNothing } from '../send/acknowledge.ts';
import { isAimedAt } from '../pull/apply.ts';
import { keepGivenUp } from './given-up.ts';
import { readMirror } from './mirror.ts';
import { follows, getMaybeArrived, isFrozen, mayHaveArrived, withGivenUp } from './planner.ts';
import {
  appendUpload,
  drop,
  laneRows,
  renewWithEdits,
  type OutboxPorts,
  renew,
  getTables,
  update,
  type Values,
  writeJournal,
} from './outbox.ts';

/**
 * The resolutions of a row that needs attention. Each is one transaction and does nothing if the row has changed state.
 */

async function withRow(ports: OutboxPorts, op: string, act: (row: OutboxRow) => Promise<void>): Promise<void> {
  const { db } = ports;
  await db.transaction('rw', getTables(db), async () => {
    const row = await db.outbox.where('op').equals(op).first();
    if (row) await act(row);
  });
}

/** Sends a file that waits for Wi-Fi over any connection. */
export async function sendOnAnyNetwork({ db }: OutboxPorts, mediaId: string): Promise<void> {
  await db.transaction('rw', getTables(db), async () => {
    await db.media.update(mediaId, { anyNetwork: true });
    await db.outbox.where('lane').equals(`upload:${mediaId}`).modify({ notBefore: 0 });
  });
}

/** A change that the server refused, and its record. */
export interface Refused {
  op: string;
  type: string;
  id: string;
}

/**
 * Sends a refused change again with the user's corrections and the edits queued behind it, under a new key. If another
 * tab has resolved it meanwhile, queues the corrections as a normal edit, so that the user's input is not lost.
 * @param seen the values that the user saw
 */
export async function retryWithEdits(
  ports: OutboxPorts,
  refused: Refused,
  fields: Values,
  seen: Values = {},
): Promise<void> {
  const { db } = ports;
  const next = ports.chance.uuid();
  await db.transaction('rw', getTables(db), async () => {
    const row = await db.outbox.where('op').equals(refused.op).first();
    if (row?.state === 'attention') await renewWithEdits(ports, row, fields, next, { seen });
    else await update(ports, refused.type, refused.id, fields, seen);
  });
}

/** Replaces a refused file with a smaller or different one. */
export async function replaceFile(ports: OutboxPorts, op: string, mediaId: string): Promise<void> {
  const { db, chance } = ports;
  const keys = { upload: chance.uuid(), row: chance.uuid() };
  await withRow(ports, op, async (row) => {
    const attached = getEffect(row) === 'upload' ? await findAttaching(ports, row.target) : row;
    if (attached === undefined) return;
    for (const dep of attached.deps) {
      if (dep === mediaId || !(await db.media.get(dep))) continue;
      await db.outbox.where('lane').equals(`upload:${dep}`).delete();
      await db.chunks.where('[media+n]').between([dep, 0], [dep, Infinity]).delete();
      await db.media.delete(dep);
      attached.deps = attached.deps.map((other) => (other === dep ? mediaId : other));
    }
    await appendUpload(ports, keys.upload, mediaId);
    await writeJournal(ports, attached, 'replaced');
    await db.outbox.put(renew(attached, keys.row));
  });
}

async function findAttaching({ db }: OutboxPorts, mediaId: string): Promise<OutboxRow | undefined> {
  return db.outbox.where('deps').equals(mediaId).first();
}

/** Removes a change that the person gives up in favor of what is on the server. */
async function giveUp(ports: OutboxPorts, row: OutboxRow, event: 'discarded' | 'done'): Promise<void> {
  await drop(ports, row, event);
  await forgetGone(ports, row);
}

/** Forgets a record that was deleted elsewhere and stayed for changes of it, the last of which was given up now. */
async function forgetGone({ db }: OutboxPorts, { type, target }: OutboxRow): Promise<void> {
  const id = await serverId(db, target);
  const record = id === null ? undefined : await db.records.get([type, id]);
  if (!record?.gone || (await isAimedAt(db, [type, record.id]))) return;
  await db.records.delete([type, record.id]);
}

/**
 * Resolves a conflict per field: 'mine' sends our value over theirs, 'theirs' keeps theirs. Fields not named use ours.
 * For a delete, 'mine' on any field deletes their version too; otherwise the record stays.
 */
export async function resolveConflict(
  ports: OutboxPorts,
  op: string,
  choice: Record<string, 'mine' | 'theirs'>,
): Promise<void> {
  const { db, chance } = ports;
  const next = chance.uuid();
  await withRow(ports, op, async (row) => {
    const theirs = row.theirs;
    if (row.state !== 'attention' || row.reason !== 'conflict' || theirs === undefined) return;
    if (getEffect(row) === 'delete') {
      const insist = Object.values(choice).includes('mine');
      if (!insist) return giveUp(ports, row, 'discarded');
      await writeJournal(ports, row, 'replaced');
      await db.outbox.put({ ...renew(row, next), base: theirs.body, baseVersion: theirs.version });
      return;
    }
    const kept = Object.keys(row.patch).filter((field) => choice[field] !== 'theirs');
    for (const later of await laneRows(db, row.lane)) {
      if (!follows(later, row) || later.sentOnce) continue;
      // Rebase the edits behind, so that they do not ask about the same field again.
      const seen = pick(
        theirs.body,
        Object.keys(later.patch).filter((field) => field in row.patch),
      );
      // Another device may send our values from a sealed file, also those that are given up here.
      const given = row.sealedAt === undefined ? [] : [row.patch];
      await db.outbox.put(withGivenUp({ ...later, base: { ...later.base, ...seen } }, given));
    }
    if (row.sealedAt !== undefined) await keepGivenUp(db, row);
    if (kept.length === 0) return giveUp(ports, row, 'done');
    const base = pick(theirs.body, kept);
    await writeJournal(ports, row, 'replaced');
    await db.outbox.put({ ...renew(row, next), patch: pick(row.patch, kept), base, baseVersion: theirs.version });
  });
}

/** Creates a record again that was deleted elsewhere: all its fields, with every edit queued for it. */
export async function recreate(ports: OutboxPorts, op: string): Promise<void> {
  const { db, chance } = ports;
  const next = chance.uuid();
  const target = LOCAL + chance.uuid();
  await withRow(ports, op, async (row) => {
    const section = sectionOf(row.type);
    if (row.state !== 'attention' || getEffect(row) !== 'update' || section?.endpoints.create == null) return;
    const under = await readMirror(db, row.type, row.target);
    const whole = pick({ ...row.base, ...under?.body }, Object.keys(section.fields));
    const gone = await serverId(db, row.target);
    const lane = `${row.type}:${target}`;
    for (const later of await laneRows(db, row.lane))
      if (follows(later, row)) await db.outbox.put({ ...later, lane, target });
    const deps = row.parent !== null && isLocal(row.parent) ? [row.parent] : [];
    const over = { kind: 'create' as const, target, lane, base: {}, baseVersion: null, givenUp: [], deps };
    await renewWithEdits(ports, { ...row, lane, patch: { ...whole, ...row.patch } }, {}, next, { over });
    if (gone !== null) await db.records.delete([row.type, gone]);
  });
}

/**
 * Sends a row that needs attention again. A row that may have arrived keeps its key, so that the server recognizes it; a
 * refused one gets a new key.
 */
export async function sendAgain(ports: OutboxPorts, op: string): Promise<void> {
  const next = ports.chance.uuid();
  await withRow(ports, op, async (row) => {
    if (row.state !== 'attention') return;
    if (!mayHaveArrived(row)) return renewWithEdits(ports, row, {}, next);
    const { reason, ...kept } = row;
    await writeJournal(ports, row, 'queued');
    // Keep 'failed': on a server without idempotency keys, it makes the claim start with an existence check.
    const why = reason === 'failed' ? { reason } : {};
    const asked = reason === 'stale' ? { isConfirmed: true as const } : {};
    await ports.db.outbox.put({ ...kept, ...why, ...asked, state: 'queued', trouble: 0, notBefore: 0 });
  });
}

/** Requests an existence check of an undecided change (reason 'unsure'). */
export async function checkIfSent(ports: OutboxPorts, op: string): Promise<void> {
  await withRow(ports, op, async (row) => {
    if (row.state !== 'attention' || row.reason !== 'unsure') return;
    const { reason: _reason, ...kept } = row;
    await writeJournal(ports, row, 'verify');
    await ports.db.outbox.put({ ...kept, state: 'verify', notBefore: 0 });
  });
}

/**
 * Discards a change. For a record that was never created, this also discards its later edits and, for a profile, all
 * its rows; other changes that depend on it are marked as needing attention. The server's data stays as it is.
 */
export async function discard(ports: OutboxPorts, op: string): Promise<void> {
  const { db } = ports;
  await withRow(ports, op, async (row) => {
    const wanted = getEffect(row) === 'upload' ? ((await findAttaching(ports, row.target)) ?? row) : row;
    const lane = await laneRows(db, wanted.lane);
    const wasNeverMade = getEffect(wanted) === 'create' && (await serverId(db, wanted.target)) === null;
    const hanging = wasNeverMade ? await db.outbox.where('deps').equals(wanted.target).toArray() : [];
    const falls = new Map((wasNeverMade ? lane : [wanted]).map((each) => [each.seq, each]));
    if (wanted.type === 'profile') {
      // With everything in the profile, and the edits of it.
      for (const other of hanging.splice(0)) {
        const own = getEffect(other) === 'create' ? await laneRows(db, other.lane) : [other];
        for (const each of own) falls.set(each.seq, each);
      }
    }
    for (const each of falls.values()) await drop(ports, each, 'discarded');
    if (getEffect(wanted) === 'update' && isFrozen(wanted)) {
      await keepGivenUp(db, wanted);
      for (const later of lane.filter((each) => each.seq > wanted.seq && getEffect(each) === 'update')) {
        await db.outbox.put(withGivenUp(later, getMaybeArrived(wanted)));
      }
    }
    // The record exists, made by another device from a sealed file: the edits of the create have not seen it.
    if (getEffect(wanted) === 'create' && !wasNeverMade) await rebaseOnNothing(db, wanted, wanted.lane);
    if (getEffect(wanted) === 'upload') await db.media.delete(wanted.target);
    for (const other of hanging) {
      await writeJournal(ports, other, 'attention');
      await db.outbox.put({ ...other, state: 'attention', reason: 'gone' });
    }
    await forgetGone(ports, wanted);
  });
}
