import { getEffect } from '#db/effects.ts';
import { isLocal, serverId } from '#db/canonical.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import { findOperation } from '../operations/index.ts';
import { drop, laneRows } from '../queue/outbox.ts';
import { markNeedsAttention, RETRY_ATTENTION_MS, type CommitContext } from './attention.ts';
import { coalesceDelete, nextOps, type PlanInput } from '../queue/planner.ts';
import { countSignIns, getRateLimitMs } from './rate-limit.ts';
import { isStorageFailure } from '../storage-error.ts';

/** A row on its way, with the server ids it needs. */
export interface Claimed {
  row: OutboxRow;
  ids: ReadonlyMap<string, string>;
  /** Rows waiting on this device, for X-Pending. */
  pending: number;
  /** Sign-ins so far, to tell a refusal of this token from one of an older. */
  signIns: number;
  /** When it was taken, ms since the epoch. */
  at: number;
}

const SCAN_SIZE = 8;
/** Where a head of this many rows starts something, what stands further behind waits for its turn. */
const MAX_SCAN_SIZE = 512;

/** What rows refer to, as the planner needs it. */
export async function loadDeps(db: AccountDb, rows: readonly OutboxRow[]): Promise<Pick<PlanInput, 'ids' | 'media'>> {
  const deps = [...new Set(rows.flatMap((row) => row.deps))];
  if (deps.length === 0) return { ids: new Map(), media: new Map() };
  const ids = new Map((await db.ids.bulkGet(deps)).flatMap((pair) => (pair ? [[pair.local, pair] as const] : [])));
  const media = new Map((await db.media.bulkGet(deps)).flatMap((file) => (file ? [[file.id, file] as const] : [])));
  return { ids, media };
}

/** Marks the next rows as on their way. From here on their payload is frozen under their key. */
export async function claim(context: CommitContext, want: { json: number; upload: number }): Promise<Claimed[]> {
  const { db, clock, server } = context;
  // A pull, or another tab, may have been asked for quiet while this drain was under way.
  if ((await getRateLimitMs(db, clock.now())) > 0) return [];
  const plan = async (rows: readonly OutboxRow[], part: Partial<typeof want>) =>
    nextOps({
      rows,
      ...(await loadDeps(db, rows)),
      now: clock.now(),
      isFileReady: server.isFileReady,
      want: { json: 0, upload: 0, ...part },
    });
  const found: OutboxRow[] = [];
  if (want.upload > 0) {
    const uploads = await db.outbox.where('lane').startsWith('upload:').sortBy('seq');
    found.push(...(await plan(uploads, { upload: want.upload })));
  }
  // The head of a long queue as a rule has enough to start; only a blocked one is read on.
  let pending: number | null = null;
  for (let seen = SCAN_SIZE; want.json > 0; seen *= 2) {
    const rows = await db.outbox.orderBy('seq').limit(seen).toArray();
    const json = await plan(rows, { json: want.json });
    const isBlocked = json.length === 0 || (json.length < want.json && seen < MAX_SCAN_SIZE);
    if (isBlocked && rows.length === seen) continue;
    if (rows.length < seen) pending = rows.length;
    found.push(...json);
    break;
  }
  if (found.length === 0) return [];
  pending ??= await context.countWaiting();
  const signIns = await countSignIns(db);
  const out: Claimed[] = [];
  for (const row of found) {
    const claimed = await claimRow(context, row).catch(async (error: unknown) => {
      if (isStorageFailure(error)) throw error;
      const later = { ...row, notBefore: context.clock.now() + RETRY_ATTENTION_MS };
      await markNeedsAttention(context, later, 'failed', { status: 0, message: String(error) });
      return null;
    });
    if (claimed) out.push({ ...claimed, pending, signIns, at: clock.now() });
  }
  // Rows may have fallen away instead of starting; those behind them get their turn now.
  return out.length === 0 ? claim(context, want) : out;
}

async function claimRow(context: CommitContext, row: OutboxRow): Promise<Pick<Claimed, 'row' | 'ids'> | null> {
  const { db } = context;
  // Another version of the app wrote it, or it lies here incomplete.
  const operation = findOperation(row);
  if (row.v !== 1 || operation === undefined) {
    await markNeedsAttention(context, row, 'unknown-op', { status: 0, message: 'Update the app to send this' });
    return null;
  }
  if (getEffect(row) === 'delete') {
    const before = (await laneRows(db, row.lane)).filter((each) => each.seq < row.seq);
    const { drop: fallen, send } = coalesceDelete(before);
    for (const each of fallen) await drop(context, each, send ? 'replaced' : 'discarded');
    if (!send) {
      await drop(context, row, 'done');
      return null;
    }
  }
  // The request it withdraws never reached the server, or the server has no call that withdraws one.
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
  // Not in the journal: how it ends is written there, and each write costs a long queue its speed.
  await db.outbox.put(sending);
  return { row: sending, ids };
}
