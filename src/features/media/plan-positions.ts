import { LIMITS } from '#contract/limits.ts';

/** An item's position on the server. Items with null come before all others, the newest first. */
export interface Positioned {
  id: string;
  position: number | null;
}

/** Distance between neighbors, so that an item can be moved between them later without moving them. */
const POSITION_GAP = 1000;
const LAST = LIMITS.mediaPosition;

/** Indexes of the longest non-decreasing subsequence of `numbers`; nulls are skipped. */
function longestNonDecreasing(numbers: readonly (number | null)[]): number[] {
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  numbers.forEach((number, at) => {
    if (number === null) return;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]!]! <= number) low = middle + 1;
      else high = middle;
    }
    before.set(at, ends[low - 1]);
    ends[low] = at;
  });
  const indexes: number[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) indexes.unshift(at);
  return indexes;
}

/**
 * Returns the indexes of items that can keep their position in the wanted order. Items without a position can only be
 * first, and only in their current order. Between two unmoved items there must be room for the moved ones.
 * @param shown the current index of each item
 */
function findUnmoved(wanted: readonly Positioned[], shown: ReadonlyMap<string, number>): Set<number> {
  let best = new Set<number>();
  for (let first = 0; ; first += 1) {
    const rest = wanted.map(({ position }, at) => {
      if (at < first || position === null) return null;
      const fits = position >= at - first && position <= LAST - (wanted.length - 1 - at);
      return fits ? position - at : null;
    });
    const stay = [...wanted.keys()].slice(0, first).concat(longestNonDecreasing(rest));
    if (stay.length > best.size) best = new Set(stay);
    const next = wanted[first];
    if (next?.position !== null || next === undefined) return best;
    const previous = wanted[first - 1];
    if (previous && shown.get(previous.id)! > shown.get(next.id)!) return best;
  }
}

/** Returns `count` ascending integers between two positions, both excluded. */
function spreadBetween(low: number | null, high: number | null, count: number): number[] {
  const from = low ?? -1;
  const room = (high ?? LAST + 1) - from;
  const isOpen = high === null && room > POSITION_GAP * (count + 1);
  if (isOpen)
    return Array.from({ length: count }, (_, at) =>
      low === null ? POSITION_GAP * (at + 1) : from + POSITION_GAP * (at + 1),
    );
  return Array.from({ length: count }, (_, at) => from + Math.floor((room * (at + 1)) / (count + 1)));
}

/**
 * Computes the fewest position changes that bring items into an order.
 * @param items in their current order
 * @param wanted their ids in the new order
 */
export function planPositions(
  items: readonly Positioned[],
  wanted: readonly string[],
): { id: string; position: number }[] {
  const shown = new Map(items.map(({ id }, at) => [id, at]));
  const row = wanted.flatMap((id) => items.filter((item) => item.id === id));
  const stays = findUnmoved(row, shown);
  const changes: { id: string; position: number }[] = [];
  for (let at = 0; at < row.length; at += 1) {
    if (stays.has(at)) continue;
    let end = at;
    while (end < row.length && !stays.has(end)) end += 1;
    const low = at > 0 ? row[at - 1]!.position : null;
    const places = spreadBetween(low, row[end]?.position ?? null, end - at);
    places.forEach((position, step) => changes.push({ id: row[at + step]!.id, position }));
    at = end;
  }
  return changes;
}

/** Returns the ids with one of them moved to another index. */
export function moveId(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((each) => each !== id);
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, id);
  return rest;
}
