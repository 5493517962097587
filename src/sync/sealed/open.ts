import { canonicalId, getParentType, getTargetType } from '#db/canonical.ts';
import type { AccountDb } from '#db/database.ts';
import { getEffect } from '#db/effects.ts';
import type { OutboxRow } from '#db/rows.ts';
import { clientIdOf } from '../operations/build-request.ts';
import { pick } from '../conflict/merge.ts';
import { findOperation } from '../operations/index.ts';
import type { Values } from '../operations/operation.ts';
import { assignServerId, LAST } from '../pull/apply.ts';
import { basedOnNothing } from '../send/acknowledge.ts';
import { readMirror } from '../queue/mirror.ts';
import { getTables, laneRows, type OutboxPorts, writeJournal } from '../queue/outbox.ts';
import { isStale, mayHaveArrived } from '../queue/planner.ts';
import type { SealedContents } from './contents.ts';

export interface Opened {
  /** Changes that are on this device now and were not before. */
  added: number;
  /** Of these, the ones that are too old to be sent without a question. */
  stale: number;
  /** Changes that were on this device already. */
  known: number;
}

/**
 * Adds the changes of a sealed file to the outbox, all of them or none, under their own keys. The device that wrote the
 * file may send them too: whichever is second is answered as a repeat. Opening a file twice adds nothing.
 */
export async function openSealed(
  ports: Pick<OutboxPorts, 'db' | 'clock'>,
  { rows, ids, media, chunks }: SealedContents,
): Promise<Opened> {
  const { db, clock } = ports;
  return db.transaction('rw', getTables(db), async () => {
    const here = await findKnown(db, rows);
    const fresh = rows.filter(({ op }) => !here.has(op));
    const wanted = new Set(fresh.flatMap((row) => [row.target, ...row.deps]));
    for (const pair of ids) {
      // An alias leaves the name that this device has for the record, so that its own changes stay in their lane.
      if (!(await db.ids.get(pair.local))) await db.ids.put({ ...pair, alias: true });
    }
    for (const file of media) {
      const known = await db.media.get(file.id);
      if (!wanted.has(file.id) || known?.state === 'ready' || known?.state === 'sent') continue;
      await db.media.put({ ...file, offset: file.state === 'sent' ? file.size : 0 });
      await db.chunks.bulkPut(chunks.filter((chunk) => chunk.media === file.id));
    }
    const creates = new Map(rows.filter((row) => getEffect(row) === 'create').map((row) => [row.target, row]));
    const openedAt = clock.now();
    let stale = 0;
    for (const sealed of fresh) {
      if (getEffect(sealed) === 'create') await recognizeRecord(db, sealed);
      const named = await toOwnNames(db, toWaiting(sealed, openedAt));
      const made = creates.get(sealed.target);
      // The create of its record is done here, so this change has not seen what became of the record since.
      const isBehindDone =
        made !== undefined && made !== sealed && named.baseVersion === null && !(await isMadeHere(db, named));
      const based = isBehindDone ? basedOnNothing(named, made) : basedOnMade(named, made);
      const row = isOfRecord(based) ? { ...based, shown: await readShown(db, based) } : based;
      const mustAsk = isSendable(row) && isStale(row, openedAt);
      if (mustAsk) stale += 1;
      const added: Omit<OutboxRow, 'seq'> = mustAsk ? { ...row, state: 'attention', reason: 'stale' } : row;
      const seq = await db.outbox.add(added);
      await writeJournal(ports, { ...added, seq }, added.state, { from: 'new' });
    }
    return { added: fresh.length, stale, known: rows.length - fresh.length };
  });
}

/**
 * Which of these changes wait on this device, have arrived from it, or were replaced by later ones. A change that was discarded here is
 * not known: opening the file brings it back.
 */
async function findKnown(db: AccountDb, rows: readonly OutboxRow[]): Promise<Set<string>> {
  const ops = new Set(rows.map(({ op }) => op));
  const waiting = new Set<string>();
  await db.outbox
    .where('op')
    .anyOf([...ops])
    .each(({ op }) => waiting.add(op));
  const known = new Set(waiting);
  await db.journal
    .filter(({ op, to }) => ops.has(op) && (to === 'done' || to === 'replaced'))
    .each(({ op }) => known.add(op));
  for (const row of rows) {
    if (getEffect(row) !== 'upload' || waiting.has(row.op)) continue;
    const isNeeded = rows.some(({ op, deps }) => deps.includes(row.target) && !known.has(op));
    // A file goes with what it was picked for: discarding or deleting that has deleted it here.
    if (!isNeeded) known.add(row.op);
    else if ((await db.media.get(row.target)) === undefined) known.delete(row.op);
  }
  return known;
}

/** An edit as one that has seen the values with which its record is made in the same file. */
function basedOnMade<Row extends Omit<OutboxRow, 'seq'>>(row: Row, made: OutboxRow | undefined): Row {
  if (made === undefined || getEffect(row) !== 'update') return row;
  return { ...row, base: { ...pick(made.patch, Object.keys(row.patch)), ...row.base } };
}

/** Whether forms show the fields of the row. The lanes of all others, for example of messages, may be long. */
const isOfRecord = (row: Omit<OutboxRow, 'seq'>) => ['create', 'update'].includes(getEffect(row));

/** The fields of the row as this device shows them until it has the row: what waits here covers what was pulled. */
async function readShown(db: AccountDb, { type, target, lane, patch }: Omit<OutboxRow, 'seq'>): Promise<Values> {
  const fields = Object.keys(patch);
  const pulled = await readMirror(db, type, target, fields);
  const layers = [pulled?.body ?? {}, ...(await laneRows(db, lane)).map((waiting) => waiting.patch)];
  return Object.assign({}, ...layers.map((values) => pick(values, fields))) as Values;
}

/** Whether the create of a change's record waits on this device. */
const isMadeHere = async (db: AccountDb, { lane }: Pick<OutboxRow, 'lane'>): Promise<boolean> =>
  (await laneRows(db, lane)).some((each) => getEffect(each) === 'create');

/** The row as one that no device is sending, ready to be added to an outbox. */
function toWaiting(sealed: OutboxRow, openedAt: number): Omit<OutboxRow, 'seq'> {
  const { seq: _seq, attempt: _attempt, checking: _checking, hold: _hold, ...rest } = sealed;
  const { isConfirmed: _isConfirmed, shown: _shown, ...row } = rest;
  const state = row.state === 'attention' ? 'attention' : 'queued';
  // The response may describe a record that this device knows to be deleted: read everything again after it.
  return { ...row, state, tries: 0, trouble: 0, notBefore: 0, recheck: true, openedAt };
}

/** Whether the engine would send the row without asking. */
const isSendable = (row: Pick<OutboxRow, 'state' | 'reason'>) => row.state !== 'attention' || mayHaveArrived(row);

/** A pull may have brought the record of a create that the other device has sent meanwhile. */
async function recognizeRecord(db: AccountDb, row: OutboxRow): Promise<void> {
  const made = await db.records
    .where('[type+id]')
    .between([row.type, ''], [row.type, LAST])
    .filter(({ body }) => body.client_id === clientIdOf(row.target))
    .first();
  if (made) await assignServerId(db, row.type, row.target, made.id);
}

/** Gives the row the names and the lane that its record has on this device. */
async function toOwnNames<Row extends Omit<OutboxRow, 'seq'>>(db: AccountDb, row: Row): Promise<Row> {
  const operation = findOperation(row);
  // A create keeps its local id, which the server knows as its `client_id`.
  const isMade = operation === undefined || operation.makesTarget;
  const target = isMade ? row.target : await canonicalId(db, getTargetType(row.type), row.target);
  const isRecord = row.parent !== null && getEffect(row) !== 'send';
  const parent = isRecord ? await canonicalId(db, getParentType(row.type), row.parent!) : row.parent;
  if (operation === undefined || (target === row.target && parent === row.parent)) return row;
  return { ...row, target, parent, lane: operation.lane({ ...row, target, parent }) };
}
