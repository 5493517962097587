import { type Grade, GRADES } from '#contract/records/tapes.ts';
import { getPerformer } from './performer.ts';
import type { Taped } from './taped.ts';

/** Neither order speaks for anybody: not by grade, and not by who was first. */
export const TAPE_ORDERS = { shuffled: 'Shuffled daily', name: 'A to Z' } as const;
export type TapeOrder = keyof typeof TAPE_ORDERS;

export const isTapeOrder = (value: string | null): value is TapeOrder => value !== null && value in TAPE_ORDERS;

const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: true });

/** FNV-1a: the same number for the same text on every device. */
function toHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  // Without this, texts that differ in their last letter alone would stay next to each other.
  return Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) >>> 0;
}

const compareNames = (a: Taped, b: Taped) => collator.compare(getPerformer(a).name, getPerformer(b).name);

/**
 * Puts tapes in an order.
 * @param seed names the viewer and the day: the same seed gives the same shuffled order, also when tapes come or go
 */
export function sortTapes(tapes: readonly Taped[], order: TapeOrder, seed: string): Taped[] {
  if (order === 'name') return tapes.toSorted(compareNames);
  const places = new Map(tapes.map((tape) => [tape, toHash(`${seed}:${tape.serverId ?? tape.id}`)]));
  return tapes.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0) || compareNames(a, b));
}

export type TapeFilter = 'all' | 'unwatched' | 'ungraded' | 'coming' | Grade;

/** Has arrived, and nobody of the side that casts has played it. That of a withdrawn request never counts as watched, so nobody is asked to. */
export const isUnwatched = ({ body, tape }: Taped): boolean =>
  body.watched_at === null && body.withdrawn_at === null && tape.body.arrived_at !== null;

const FILTERS: Readonly<Record<TapeFilter, { label: string; has: (tape: Taped) => boolean }>> = {
  all: { label: 'All', has: () => true },
  unwatched: { label: 'Not watched', has: isUnwatched },
  A: { label: 'A', has: ({ mark }) => mark.grade === 'A' },
  B: { label: 'B', has: ({ mark }) => mark.grade === 'B' },
  C: { label: 'C', has: ({ mark }) => mark.grade === 'C' },
  ungraded: { label: 'No grade', has: ({ mark }) => mark.grade === null },
  coming: { label: 'On its way', has: ({ tape }) => tape.body.arrived_at === null && tape.body.state !== 'refused' },
};

export const filterTapes = (tapes: readonly Taped[], filter: TapeFilter): Taped[] => tapes.filter(FILTERS[filter].has);

export interface FilterChip {
  value: TapeFilter;
  label: string;
  count: number;
}

/** The filters that would leave some tapes but not all, each with how many. The chosen one stays, so that it can be left. */
export function listFilters(tapes: readonly Taped[], chosen: TapeFilter): FilterChip[] {
  const values: TapeFilter[] = ['all', 'unwatched', ...GRADES, 'ungraded', 'coming'];
  return values
    .map((value) => ({ value, label: FILTERS[value].label, count: filterTapes(tapes, value).length }))
    .filter(({ value, count }) => value === 'all' || value === chosen || (count > 0 && count < tapes.length));
}
