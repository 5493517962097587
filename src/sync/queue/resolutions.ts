import { getEffect } from '#db/effects.ts';
import { LOCAL, isLocal, serverId } from '#db/canonical.ts';
import { sectionOf } from '#contract/sections/index.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import { pick } from '../conflict/merge.ts';
import { mayHaveArrived } from './planner.ts';
import {
  appendUpload,
  drop,
  laneRows,
  getMaybeArrived,
  renewWithEdits,
  readMirror,
  type OutboxPorts,
  renew,
  getTables,
  update,
  type Values,
  writeJournal,
} from './outbox.ts';

/** The ways out of a refusal. Each is one transaction, and does nothing when the row has moved on in the meantime. */

async function withRow(ports: OutboxPorts, op: string, act: (row: OutboxRow) => Promise<void>): Promise<void> {
  const { db } = ports;
  await db.transaction('rw', getTables(db), async () => {
    const row = await db.outbox.where('op').equals(op).first();
    if (row) await act(row);
  });
}

/** A change that the server refused, and the record it is about. */
export interface Refused {
  op: string;
  type: string;
  id: string;
}

/**
 * The person corrected what the server refused: their fields and the edits queued behind go out as one, under a new key.
 * Where another tab was first, it is an edit like any other: what they typed counts all the same.
 * @param refused the change, with the record it is about
 */
export async function retryWithEdits(ports: OutboxPorts, refused: Refused, fields: Values): Promise<void> {
  const { db } = ports;
  const next = ports.chance.uuid();
  await db.transaction('rw', getTables(db), async () => {
    const row = await db.outbox.where('op').equals(refused.op).first();
    if (row?.state === 'attention') await renewWithEdits(ports, row, fields, next);
    else await update(ports, refused.type, refused.id, fields);
  });
}

/** A smaller or other file in place of one that was refused. */
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

/**
 * Both versions have been seen: per field, ours goes out over theirs, or theirs stays. Fields not named keep ours.
 * For a delete, `mine` on any field deletes their version too; otherwise the record stays.
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
      if (!insist) return drop(ports, row, 'discarded');
      await writeJournal(ports, row, 'replaced');
      await db.outbox.put({ ...renew(row, next), base: theirs.body, baseVersion: theirs.version });
      return;
    }
    const kept = Object.keys(row.patch).filter((field) => choice[field] !== 'theirs');
    for (const later of await laneRows(db, row.lane)) {
      if (later.seq <= row.seq || later.sentOnce) continue;
      // What was decided here must not be asked again by the edit behind.
      const seen = pick(
        theirs.body,
        Object.keys(later.patch).filter((field) => field in row.patch),
      );
      await db.outbox.put({ ...later, base: { ...later.base, ...seen } });
    }
    if (kept.length === 0) return drop(ports, row, 'done');
    const base = pick(theirs.body, kept);
    await writeJournal(ports, row, 'replaced');
    await db.outbox.put({ ...renew(row, next), patch: pick(row.patch, kept), base, baseVersion: theirs.version });
  });
}

/** The record was deleted elsewhere: make it again, whole, with every edit that waits for it. */
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
      if (later.seq > row.seq) await db.outbox.put({ ...later, lane, target });
    const deps = row.parent !== null && isLocal(row.parent) ? [row.parent] : [];
    const over = { kind: 'create' as const, target, lane, base: {}, baseVersion: null, givenUp: [], deps };
    await renewWithEdits(ports, { ...row, lane, patch: { ...whole, ...row.patch } }, {}, next, over);
    if (gone !== null) await db.records.delete([row.type, gone]);
  });
}

/** Send what is parked once more. A payload that may have arrived keeps its key; one refused for good gets a new one. */
export async function sendAgain(ports: OutboxPorts, op: string): Promise<void> {
  const next = ports.chance.uuid();
  await withRow(ports, op, async (row) => {
    if (row.state !== 'attention') return;
    if (!mayHaveArrived(row)) return renewWithEdits(ports, row, {}, next);
    const { reason, ...kept } = row;
    await writeJournal(ports, row, 'queued');
    // Where the server knows no keys, one that failed here is looked for first: its reason says so.
    const why = reason === 'failed' ? { reason } : {};
    await ports.db.outbox.put({ ...kept, ...why, state: 'queued', trouble: 0, notBefore: 0 });
  });
}

/** Look on the server whether an unsure change is there already. */
export async function checkIfSent(ports: OutboxPorts, op: string): Promise<void> {
  await withRow(ports, op, async (row) => {
    if (row.state !== 'attention' || row.reason !== 'unsure') return;
    const { reason: _reason, ...kept } = row;
    await writeJournal(ports, row, 'verify');
    await ports.db.outbox.put({ ...kept, state: 'verify', notBefore: 0 });
  });
}

/**
 * The person gives a change up. Of a record that was never made, the edits behind go too, and all that was put into a
 * profile; what else hangs on it needs the person. What the server has stays there.
 */
export async function discard(ports: OutboxPorts, op: string): Promise<void> {
  const { db } = ports;
  await withRow(ports, op, async (row) => {
    const wanted = getEffect(row) === 'upload' ? ((await findAttaching(ports, row.target)) ?? row) : row;
    const lane = await laneRows(db, wanted.lane);
    const wasNeverMade = getEffect(wanted) === 'create' && (await serverId(db, wanted.target)) === null;
    const hanging = wasNeverMade ? await db.outbox.where('deps').equals(wanted.target).toArray() : [];
    const falls = wasNeverMade ? lane : [wanted];
    if (wanted.type === 'profile') falls.push(...hanging.splice(0));
    for (const each of falls) await drop(ports, each, 'discarded');
    if (getEffect(wanted) === 'update' && wanted.sentOnce) {
      for (const later of lane.filter((each) => each.seq > wanted.seq && getEffect(each) === 'update')) {
        await db.outbox.put({ ...later, givenUp: [...getMaybeArrived(wanted), ...(later.givenUp ?? [])] });
      }
    }
    if (getEffect(wanted) === 'upload') await db.media.delete(wanted.target);
    for (const other of hanging) {
      await writeJournal(ports, other, 'attention');
      await db.outbox.put({ ...other, state: 'attention', reason: 'gone' });
    }
    const gone = await serverId(db, wanted.target);
    if (gone !== null && wanted.reason === 'gone') {
      const record = await db.records.get([wanted.type, gone]);
      if (record?.gone) await db.records.delete([wanted.type, gone]);
    }
  });
}

/** Everything that waits, given up at once (sign-out without keeping). */
export async function discardAll(db: AccountDb): Promise<void> {
  await db.transaction('rw', getTables(db), async () => {
    await db.outbox.clear();
    await db.chunks.clear();
    await db.media.clear();
    await db.drafts.clear();
  });
}
