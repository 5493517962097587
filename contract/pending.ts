/**
 * What the app tells about changes that wait on a device, in the headers of its requests: how many, of which kinds, and the hour of the
 * oldest. What a change is about never leaves the device before the change does.
 */

import type { Endpoint } from './section.ts';

export const PENDING_HEADER = 'x-pending';
export const DETAIL_HEADER = 'x-pending-detail';
/** Says `new` when the app begins with an empty store, although it does not know of an earlier one that was deleted on purpose. */
export const STORE_HEADER = 'x-store';

/** Says what waits without another request: has no body, only the headers. */
export const SAY_PENDING = { method: 'POST', path: '/devices/pending', isExtension: true } as const satisfies Endpoint;

export const PENDING_KINDS = ['edit', 'photo', 'video', 'audio', 'document', 'message', 'request', 'other'] as const;
export type PendingKind = (typeof PENDING_KINDS)[number];
/** The number of waiting changes by kind. Kinds of which none waits are absent. */
export type PendingKinds = Partial<Record<PendingKind, number>>;

export interface PendingDetail {
  kinds: PendingKinds;
  /** The hour of the oldest change, ms since the epoch. */
  since: number;
}

const HOUR_MS = 3_600_000;
const MAX_COUNT = 999_999;

/** The number of changes of all kinds. */
export const countPending = (kinds: PendingKinds): number =>
  PENDING_KINDS.reduce((sum, kind) => sum + (kinds[kind] ?? 0), 0);

/** 'edit=2,photo=1;since=2026-11-17T10', in UTC. @param oldestAt ms since the epoch */
export function formatPending(kinds: PendingKinds, oldestAt: number): string {
  const counts = PENDING_KINDS.flatMap((kind) => (kinds[kind] ? [`${kind}=${kinds[kind]}`] : []));
  // A device whose clock is far off may have a time that no date can hold.
  const since = new Date(Math.min(Math.max(oldestAt, 0), 4e12) || 0).toISOString();
  return `${counts.join()};since=${since.slice(0, 13)}`;
}

const FORMAT = /^(\w+=\d{1,6}(?:,\w+=\d{1,6}){0,7});since=(\d{4}-\d\d-\d\dT\d\d)$/;

/** Reads the header. Null unless it is exactly of the form that `formatPending` writes: nothing else may stand there. */
export function parsePending(text: string): PendingDetail | null {
  const [, counts, hour] = FORMAT.exec(text) ?? [];
  if (counts === undefined) return null;
  const since = Date.parse(`${hour}:00:00Z`);
  const kinds: PendingKinds = {};
  for (const each of counts.split(',')) {
    const [name, digits] = each.split('=');
    const kind = PENDING_KINDS.find((known) => known === name);
    if (kind === undefined) return null;
    kinds[kind] = Number(digits);
  }
  const isWhole = Number.isFinite(since) && countPending(kinds) <= MAX_COUNT;
  return isWhole && formatPending(kinds, since) === text ? { kinds, since } : null;
}

/** The start of the hour of a time. */
export const toHour = (at: Date): Date => new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
