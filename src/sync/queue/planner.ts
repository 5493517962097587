import { getEffect } from '#db/effects.ts';
import type { IdPair, MediaFile, OutboxRow, Reason } from '#db/rows.ts';
import { pick, sameValue } from '../conflict/merge.ts';
import { NOT_IN_FORMS } from '../operations/create-record.ts';
import { findOperation } from '../operations/index.ts';
import { NO_VERSION } from '../operations/operation.ts';

/** A row that would wait longer than this is due: no back-off is that long, so the clock must have jumped. */
const LONGEST_WAIT_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Delay before the engine retries a row that needs attention, by its reason. The others wait for the user. */
export const RETRY_AFTER_MS: Readonly<Partial<Record<Reason, number>>> = {
  suspect: DAY_MS,
  failed: DAY_MS,
  // The address may have been confirmed on another device.
  unconfirmed: HOUR_MS,
  // An older tab may have marked what this one knows, and the server may be updated.
  'unknown-op': HOUR_MS,
};

/** Whether the server may receive the payload under this key: from this device, or from one that opened a sealed file. */
export const isFrozen = ({ sentOnce, sealedAt }: Pick<OutboxRow, 'sentOnce' | 'sealedAt'>): boolean =>
  sentOnce || sealedAt !== undefined;

/** Whether the payload was never sent, so that it may still change under its key. */
export const isUnsent = (row: OutboxRow): boolean => row.state === 'queued' && !isFrozen(row);

/** Whether a row needs attention although the server may have it. It is retried under its key or checked for. */
export const mayHaveArrived = ({ reason }: Pick<OutboxRow, 'reason'>): boolean =>
  reason === 'unsure' || reason === 'suspect' || reason === 'failed' || reason === 'stale';

/** Whether the server refused the row for good under this key, without effect. The user may edit or discard it. */
export const isRefused = (row: OutboxRow): boolean => row.state === 'attention' && !mayHaveArrived(row);

/** Whether a newer wish replaces the row: this device does not send it unless the user asks for it. */
export const isSetAside = (row: OutboxRow): boolean =>
  isRefused(row) || (row.state === 'attention' && row.reason === 'stale');

/** Whether neither this device nor one that opened a sealed file has sent the row with an effect. What it makes needs no undoing. */
export const hasNotArrived = (row: OutboxRow): boolean =>
  isUnsent(row) || isRefused(row) || (isSetAside(row) && !isFrozen(row));

/** Whether the engine retries a row that needs attention, after some time. */
const isRetried = ({ reason }: Pick<OutboxRow, 'reason'>) => (reason ?? '') in RETRY_AFTER_MS;

/**
 * Whether a change was made in knowledge of another one of its lane. A change from a sealed file was made on another device: it knows
 * those that came with it, but not those that waited here before.
 */
export const follows = (
  later: Pick<OutboxRow, 'seq' | 'openedAt'>,
  row: Pick<OutboxRow, 'seq' | 'openedAt'>,
): boolean => later.seq > row.seq && (later.openedAt === undefined || later.openedAt === row.openedAt);

/** The patches that the server may have applied from earlier attempts of a change that is discarded or rewritten. */
export const getMaybeArrived = (row: OutboxRow): Record<string, unknown>[] => [
  ...(row.givenUp ?? []),
  ...((getEffect(row) === 'update' || getEffect(row) === 'create') && isFrozen(row) ? [row.patch] : []),
];

/** The change, knowing these patches too, which the server may have applied from changes that were given up. */
export function withGivenUp<Row extends Pick<OutboxRow, 'givenUp'>>(
  row: Row,
  patches: readonly Record<string, unknown>[],
): Row {
  const known = row.givenUp ?? [];
  const added = patches.filter((patch) => !known.some((other) => sameValue(patch, other)));
  return added.length === 0 ? row : { ...row, givenUp: [...known, ...added] };
}

/**
 * Whether a change is too old to be sent without asking the user. Another device may have sent a sealed one, and the server
 * forgets keys after 90 days, so it could be applied twice. A wrong clock may also make it look like one of the future. A request to
 * audition that was never tried within a day may have come too close to its deadline.
 */
export const isStale = (
  row: Pick<OutboxRow, 'kind' | 'type' | 'sealedAt' | 'sentOnce' | 'isConfirmed' | 'createdAt'>,
  now: number,
): boolean =>
  !row.isConfirmed &&
  ((row.sealedAt !== undefined && Math.abs(now - row.createdAt) > 80 * DAY_MS) ||
    (row.type === 'request' && getEffect(row) === 'create' && !row.sentOnce && now - row.createdAt > DAY_MS));

/** The version for edits sent as one. The newer version could hide another device's edit that the older base lacks. */
export function olderVersion(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/**
 * The base version of an edit that takes in a later one. An edit without one was made before a pull brought the record, so it has
 * seen no version, whatever the later one has seen.
 */
export const combineVersions = (first: number | null, later: number | null): number | null =>
  first === null && later !== null ? NO_VERSION : olderVersion(first, later);

/**
 * Merges a new update into the last row of its lane if that one is unsent. The result keeps the first key and base.
 * Null when the update must be a row of its own.
 */
export function coalesce(
  last: OutboxRow | undefined,
  update: Pick<OutboxRow, 'patch' | 'base' | 'baseVersion' | 'givenUp'>,
): OutboxRow | null {
  if (last === undefined || !isUnsent(last)) return null;
  if (getEffect(last) === 'create' && last.type === 'media' && NOT_IN_FORMS.some((field) => field in update.patch))
    return null;
  if (getEffect(last) === 'create') return { ...last, patch: { ...last.patch, ...update.patch } };
  if (getEffect(last) === 'update') {
    const baseVersion = combineVersions(last.baseVersion, update.baseVersion);
    const patch = { ...last.patch, ...update.patch };
    const base = { ...update.base, ...last.base };
    return withGivenUp({ ...last, patch, base, baseVersion }, update.givenUp ?? []);
  }
  return null;
}

/**
 * Decides which rows before a due delete in its lane it drops, and whether the delete is sent. A record that never
 * reached the server needs no delete. A row that may have reached it is answered first.
 * @param isMade whether the server has the record. Another device may have made it from a sealed file.
 */
export function coalesceDelete(before: readonly OutboxRow[], isMade = false): { drop: OutboxRow[]; send: boolean } {
  const create = before.find((row) => getEffect(row) === 'create');
  if (create && (isUnsent(create) || isRefused(create))) return { drop: [...before], send: isMade };
  return { drop: before.filter((row) => getEffect(row) === 'update' && (isUnsent(row) || isRefused(row))), send: true };
}

/**
 * Rebases the rows behind an acknowledged one onto its values and version. They were written on top of it, so a merge
 * must not take it for another device's edit.
 */
export function rebase(done: OutboxRow, version: number | null, behind: readonly OutboxRow[]): OutboxRow[] {
  const out: OutboxRow[] = [];
  // An act is sent without a version, so the record may hold another device's edit that nobody here has seen.
  if (getEffect(done) === 'act') return out;
  for (const row of behind) {
    if (row.sentOnce || row.seq <= done.seq) continue;
    const own = pick(done.patch, Object.keys(row.patch));
    if (getEffect(done) === 'create') {
      // An edit behind a create has its own base only if a pull brought the record before this response, or if it came
      // from a file in which the record was made with these values; that base wins.
      const base = { ...own, ...row.base };
      // The record may have been made with other values here, which the author of a change from a file has not seen.
      const isUnseen = !follows(row, done) && Object.keys(own).some((field) => !sameValue(base[field], own[field]));
      out.push({ ...row, base, baseVersion: row.baseVersion ?? (isUnseen ? NO_VERSION : version) });
      continue;
    }
    if (!follows(row, done)) continue;
    // A row based on a newer copy has already seen this one's values.
    if (row.baseVersion !== null && version !== null && row.baseVersion >= version) continue;
    const base = { ...row.base, ...own };
    const baseVersion = row.baseVersion === done.baseVersion ? version : row.baseVersion;
    out.push({ ...row, base, baseVersion });
  }
  return out;
}

export interface PlanInput {
  /** Rows in `seq` order; the whole outbox or the beginning of it. */
  rows: readonly OutboxRow[];
  ids: ReadonlyMap<string, IdPair>;
  media: ReadonlyMap<string, MediaFile>;
  now: number;
  /** Whether the change that attaches a file may be sent. */
  isFileReady: (file: MediaFile) => boolean;
  /** Leaves rows alone that are marked for a page. */
  isWorker?: boolean;
  freeSlots: { json: number; upload: number };
}

/** When a row may be sent, ms since the epoch: now if its time is absurdly far ahead, because the clock went back. */
function dueAt(row: OutboxRow, now: number): number {
  const longest = isRetried(row) ? DAY_MS : LONGEST_WAIT_MS;
  return row.notBefore > now + longest ? now : row.notBefore;
}

/** Whether the server has everything that the row refers to. */
function depsReady(row: OutboxRow, input: Pick<PlanInput, 'ids' | 'media' | 'isFileReady'>): boolean {
  return row.deps.every((dep) => {
    if (input.ids.has(dep)) return true;
    const file = input.media.get(dep);
    return file !== undefined && input.isFileReady(file);
  });
}

/**
 * The row that a lane starts next, and when; null when it is busy or waits for the user or for another lane. A delete
 * that can still be undone holds back the unsent rows before it.
 */
function laneStart(lane: readonly OutboxRow[], input: Omit<PlanInput, 'rows' | 'freeSlots'>): Start | null {
  const head = lane[0];
  if (head === undefined || lane.some((row) => row.state === 'sending')) return null;
  if (input.isWorker && head.forPage) return null;
  const removalAt = lane.findIndex((row) => getEffect(row) === 'delete' && row.state === 'queued');
  const removal = lane[removalAt];
  if (removal && removal !== head) {
    const at = dueAt(removal, input.now);
    const known = lane.slice(0, removalAt).filter((row) => follows(removal, row));
    const everythingFalls = coalesceDelete(known).drop.length === removalAt;
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

function starts(input: Omit<PlanInput, 'freeSlots'>): Start[] {
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

/** The rows to send now, oldest first: each starts its lane, is due, and refers only to records the server has. */
export function nextOps(input: PlanInput): OutboxRow[] {
  const left = { ...input.freeSlots };
  const out: OutboxRow[] = [];
  const due = starts(input).filter((start) => start.at <= input.now);
  for (const { row } of due.sort((a, b) => a.row.seq - b.row.seq)) {
    // A row of another app version is claimed too; the claim marks it as needing attention.
    const slot = findOperation(row)?.slot ?? 'json';
    if (left[slot] <= 0) continue;
    left[slot] -= 1;
    out.push(row);
  }
  return out;
}

/**
 * When the next row becomes due without an event, ms since the epoch; null when none does. `now` if one is due already.
 */
export function nextDue(input: Omit<PlanInput, 'freeSlots'>): number | null {
  const times = starts(input).map((start) => Math.max(start.at, input.now));
  return times.length === 0 ? null : Math.min(...times);
}
