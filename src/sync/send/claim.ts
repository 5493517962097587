import { getEffect } from '#db/effects.ts';
import { isLocal, serverId } from '#db/canonical.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { CommitContext } from '../engine-ports.ts';
import { findOperation } from '../operations/index.ts';
import { drop, laneRows } from '../queue/outbox.ts';
import { markNeedsAttention } from './attention.ts';
import { coalesceDelete, follows, isStale, nextOps, type PlanInput } from '../queue/planner.ts';
import { countSignIns, getRateLimitMs } from './rate-limit.ts';
import { isStorageFailure } from '../storage-error.ts';

/** A claimed row, with the server ids it needs. */
export interface Claimed {
  row: OutboxRow;
  ids: ReadonlyMap<string, string>;
  /** Number of sign-ins so far, to tell a refusal of the current token from a refusal of an older one. */
  signIns: number;
  /** Time of the claim, ms since the epoch. */
  at: number;
}

const SCAN_SIZE = 8;
/** Maximum number of rows to scan for more work once some row can start. */
const MAX_SCAN_SIZE = 512;

/** Loads the ids and files that rows depend on, for the planner. */
export async function loadDeps(db: AccountDb, rows: readonly OutboxRow[]): Promise<Pick<PlanInput, 'ids' | 'media'>> {
  const deps = [...new Set(rows.flatMap((row) => row.deps))];
  if (deps.length === 0) return { ids: new Map(), media: new Map() };
  const ids = new Map((await db.ids.bulkGet(deps)).flatMap((pair) => (pair ? [[pair.local, pair] as const] : [])));
  const media = new Map((await db.media.bulkGet(deps)).flatMap((file) => (file ? [[file.id, file] as const] : [])));
  return { ids, media };
}

/** Claims the next rows. From then on their payload is frozen under their key. */
export async function claim(context: CommitContext, freeSlots: { json: number; upload: number }): Promise<Claimed[]> {
  const { db, clock, server, isWorker } = context;
  // A pull or another tab may have received a rate limit during this drain.
  if ((await getRateLimitMs(db, clock.now())) > 0) return [];
  const plan = async (rows: readonly OutboxRow[], part: Partial<typeof freeSlots>) =>
    nextOps({
      rows,
      ...(await loadDeps(db, rows)),
      now: clock.now(),
      isFileReady: server.isFileReady,
      isWorker,
      freeSlots: { json: 0, upload: 0, ...part },
    });
  const found: OutboxRow[] = [];
  if (freeSlots.upload > 0) {
    const uploads = await db.outbox.where('lane').startsWith('upload:').sortBy('seq');
    found.push(...(await plan(uploads, { upload: freeSlots.upload })));
  }
  // The head of a long queue usually has enough rows to start. Read on only when it is blocked.
  for (let seen = SCAN_SIZE; freeSlots.json > 0; seen *= 2) {
    const rows = await db.outbox.orderBy('seq').limit(seen).toArray();
    const json = await plan(rows, { json: freeSlots.json });
    const isBlocked = json.length === 0 || (json.length < freeSlots.json && seen < MAX_SCAN_SIZE);
    if (isBlocked && rows.length === seen) continue;
    found.push(...json);
    break;
  }
  if (found.length === 0) return [];
  const signIns = await countSignIns(db);
  const out: Claimed[] = [];
  for (const row of found) {
    const claimed = await claimRow(context, row).catch(async (error: unknown) => {
      if (isStorageFailure(error)) throw error;
      await markNeedsAttention(context, row, 'failed', { status: 0, message: String(error) });
      return null;
    });
    if (claimed) out.push({ ...claimed, signIns, at: clock.now() });
  }
  // Coalescing may have dropped all the found rows: plan again for the rows behind them.
  return out.length === 0 ? claim(context, freeSlots) : out;
}

/** Drops what was to belong to a record that is never made, and what was to belong to that. */
async function dropBelow(context: CommitContext, target: string): Promise<void> {
  for (const made of await context.db.outbox.where('deps').equals(target).toArray()) {
    for (const row of await laneRows(context.db, made.lane)) await drop(context, row, 'discarded');
    await dropBelow(context, made.target);
  }
}

async function claimRow(context: CommitContext, row: OutboxRow): Promise<Pick<Claimed, 'row' | 'ids'> | null> {
  const { db } = context;
  // Another version of the app wrote the row, or it is incomplete.
  const operation = findOperation(row);
  if (row.v !== 1 || operation === undefined) {
    await markNeedsAttention(context, row, 'unknown-op', { status: 0, message: 'Update the app to send this' });
    return null;
  }
  if (isStale(row, context.clock.now())) {
    await markNeedsAttention(context, row, 'stale', undefined);
    return null;
  }
  if (getEffect(row) === 'delete') {
    const before = (await laneRows(db, row.lane)).filter((each) => follows(row, each));
    const isMade = (await serverId(db, row.target)) !== null;
    const { drop: fallen, send } = coalesceDelete(before, isMade);
    for (const each of fallen) await drop(context, each, 'replaced');
    if (!send) {
      await dropBelow(context, row.target);
      await drop(context, row, 'done');
      return null;
    }
  }
  // A disconnect without a server id: the withdrawn request never reached the server, or the server cannot withdraw
  // one.
  const endpoint = operation.endpoint(row);
  if (row.type === CONNECTION && row.target === row.lane && row.patch.way !== 'block') {
    if (endpoint && context.server.hasCall(endpoint)) await drop(context, row, 'done');
    else
      await markNeedsAttention(context, row, 'unknown-op', { status: 0, message: 'This server withdraws no requests' });
    return null;
  }
  const named = [operation.makesTarget ? null : row.target, row.parent];
  const ids = new Map<string, string>();
  for (const id of named) {
    if (id === null) continue;
    const known = await serverId(db, id);
    if (known === null) {
      const error = { status: 0, message: isLocal(id) ? 'What this belongs to was never made' : 'Not known' };
      await markNeedsAttention(context, row, 'gone', error);
      return null;
    }
    ids.set(id, known);
  }
  const { hold: _hold, ...kept } = row;
  const mayHaveArrived = (row.reason === 'suspect' || row.reason === 'failed') && context.server.needsProbe(row);
  const checking = row.state === 'verify' || mayHaveArrived ? { checking: true as const } : {};
  const sending: OutboxRow = {
    ...kept,
    ...checking,
    state: 'sending',
    attempt: context.chance.uuid(),
    tries: row.tries + 1,
    sentOnce: true,
  };
  // No journal entry: the outcome gets one, and each extra write slows down a long queue.
  await db.outbox.put(sending);
  return { row: sending, ids };
}
