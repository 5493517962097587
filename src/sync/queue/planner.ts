import { getEffect } from '#db/effects.ts';
import type { IdPair, MediaFile, OutboxRow } from '#db/rows.ts';
import { pick } from '../conflict/merge.ts';
import { findOperation } from '../operations/index.ts';

/** Clocks jump: a row that would wait longer than this is due, for no backoff is that long. */
const LONGEST_WAIT_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

/** True when the payload has never left, so it may still change under its key. */
export const isUnsent = (row: OutboxRow): boolean => row.state === 'queued' && !row.sentOnce;

/** Parked although the server may have it: under its key it is tried again now and then, or looked for. */
export const mayHaveArrived = ({ reason }: Pick<OutboxRow, 'reason'>): boolean =>
  reason === 'unsure' || reason === 'suspect' || reason === 'failed';

/** Refused for good under this key: the server did nothing, and the person may change or drop it. */
export const isRefused = (row: OutboxRow): boolean => row.state === 'attention' && !mayHaveArrived(row);

/** Parked, and tried again by itself after a day. */
const isRetried = (row: OutboxRow): boolean => row.reason === 'suspect' || row.reason === 'failed';

/** Of what was written without seeing any version of the record: the server's begin with 1. */
export const NO_VERSION = 0;

/** Of edits sent as one: the newer version could hide another device's edit that one of the bases has not seen. */
export function olderVersion(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** Of a medium, what none of its forms takes: it is said of the record once the server has one. */
const NOT_IN_FORMS = ['position', 'is_hidden', 'is_primary'];

/**
 * Folds a new update into the last row of its lane where that has not been sent: one write instead of two, with the
 * first key and base. Null where it must be a row of its own.
 */
export function coalesce(
  last: OutboxRow | undefined,
  update: { patch: Record<string, unknown>; base: Record<string, unknown>; baseVersion: number | null },
): OutboxRow | null {
  if (last === undefined || !isUnsent(last)) return null;
  if (getEffect(last) === 'create' && last.type === 'media' && NOT_IN_FORMS.some((field) => field in update.patch))
    return null;
  if (getEffect(last) === 'create') return { ...last, patch: { ...last.patch, ...update.patch } };
  if (getEffect(last) === 'update') {
    // A field typed before a pull brought the record has seen no version of it, whatever the next one has seen.
    const isBlind = last.baseVersion === null && update.baseVersion !== null;
    const baseVersion = isBlind ? NO_VERSION : olderVersion(last.baseVersion, update.baseVersion);
    return { ...last, patch: { ...last.patch, ...update.patch }, base: { ...update.base, ...last.base }, baseVersion };
  }
  return null;
}

/**
 * What a delete whose time for Undo has passed makes of the rows before it in its lane.
 * A record that never reached the server needs no delete at all. What may already be there must settle first.
 */
export function coalesceDelete(before: readonly OutboxRow[]): { drop: OutboxRow[]; send: boolean } {
  const create = before.find((row) => getEffect(row) === 'create');
  if (create && (isUnsent(create) || isRefused(create))) return { drop: [...before], send: false };
  return { drop: before.filter((row) => getEffect(row) === 'update' && (isUnsent(row) || isRefused(row))), send: true };
}

/**
 * The rows behind an acknowledged one, taking over what it made true: they were typed on top of it, so it must not
 * come back to them as somebody else's edit.
 */
export function rebase(done: OutboxRow, version: number | null, behind: readonly OutboxRow[]): OutboxRow[] {
  const out: OutboxRow[] = [];
  for (const row of behind) {
    if (row.sentOnce || row.seq <= done.seq) continue;
    const own = pick(done.patch, Object.keys(row.patch));
    if (getEffect(done) === 'create') {
      // What an edit behind a create stands on it has from the record itself, which a pull brought before this answer.
      out.push({ ...row, base: { ...own, ...row.base }, baseVersion: row.baseVersion ?? version });
      continue;
    }
    // A row typed over a newer copy has already seen what this one wrote.
    if (row.baseVersion !== null && version !== null && row.baseVersion >= version) continue;
    const base = { ...row.base, ...own };
    const baseVersion = row.baseVersion === done.baseVersion ? version : row.baseVersion;
    out.push({ ...row, base, baseVersion });
  }
  return out;
}

export interface PlanInput {
  /** In `seq` order; may be a part of the outbox, starting at its head. */
  rows: readonly OutboxRow[];
  ids: ReadonlyMap<string, IdPair>;
  media: ReadonlyMap<string, MediaFile>;
  now: number;
  /** Whether the server has of a file what it must have before the change that attaches it. */
  isFileReady: (file: MediaFile) => boolean;
  /** Free places. */
  want: { json: number; upload: number };
}

/** When a row may be tried (ms since epoch): at once where it waits absurdly far ahead, for then the clock went back. */
function dueAt(row: OutboxRow, now: number): number {
  const longest = isRetried(row) ? DAY_MS : LONGEST_WAIT_MS;
  return row.notBefore > now + longest ? now : row.notBefore;
}

/** True when everything the row refers to is known to the server. */
function depsReady(row: OutboxRow, input: Pick<PlanInput, 'ids' | 'media' | 'isFileReady'>): boolean {
  return row.deps.every((dep) => {
    if (input.ids.has(dep)) return true;
    const file = input.media.get(dep);
    return file !== undefined && input.isFileReady(file);
  });
}

/**
 * The row a lane would start next and when; null where it is busy, waits for the person or for another lane.
 * A delete still open to Undo keeps unsent rows of its lane where they are.
 */
function laneStart(lane: readonly OutboxRow[], input: Omit<PlanInput, 'rows' | 'want'>): Start | null {
  const head = lane[0];
  if (head === undefined || lane.some((row) => row.state === 'sending')) return null;
  const removalAt = lane.findIndex((row) => getEffect(row) === 'delete' && row.state === 'queued');
  const removal = lane[removalAt];
  if (removal && removal !== head) {
    const at = dueAt(removal, input.now);
    const everythingFalls = coalesceDelete(lane.slice(0, removalAt)).drop.length === removalAt;
    if (everythingFalls) return { row: removal, at };
    if (at > input.now && isUnsent(head)) {
      return depsReady(head, input) ? { row: head, at: Math.max(at, dueAt(head, at)) } : null;
    }
  }
  const moves = head.state === 'queued' || head.state === 'verify' || (head.state === 'attention' && isRetried(head));
  return moves && depsReady(head, input) ? { row: head, at: dueAt(head, input.now) } : null;
}

interface Start {
  row: OutboxRow;
  /** Milliseconds since the epoch. */
  at: number;
}

function starts(input: Omit<PlanInput, 'want'>): Start[] {
  const lanes = new Map<string, OutboxRow[]>();
  for (const row of input.rows) {
    const lane = lanes.get(row.lane);
    if (lane) lane.push(row);
    else lanes.set(row.lane, [row]);
  }
  const out: Start[] = [];
  for (const lane of lanes.values()) {
    const start = laneStart(lane, input);
    if (start) out.push(start);
  }
  return out;
}

/** The rows to start now, oldest first: heads of their lanes, due, with what they refer to in place. */
export function nextOps(input: PlanInput): OutboxRow[] {
  const left = { ...input.want };
  const out: OutboxRow[] = [];
  const due = starts(input).filter((start) => start.at <= input.now);
  for (const { row } of due.sort((a, b) => a.row.seq - b.row.seq)) {
    // A row of another version of the app is claimed like any other, to be parked.
    const place = findOperation(row)?.slot ?? 'json';
    if (left[place] <= 0) continue;
    left[place] -= 1;
    out.push(row);
  }
  return out;
}

/** When the next row becomes due by itself (ms since epoch), null when none will. Rows due already answer `now`. */
export function nextDue(input: Omit<PlanInput, 'want'>): number | null {
  const times = starts(input).map((start) => Math.max(start.at, input.now));
  return times.length === 0 ? null : Math.min(...times);
}
