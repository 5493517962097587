import { LIMITS } from '#contract/limits.ts';

/** An item's place as the server keeps it; null stands before all others, newest first. */
export interface Positioned {
  id: string;
  position: number | null;
}

/** Between neighbours, so that what is moved later finds room without moving them. */
const POSITION_GAP = 1000;
const LAST = LIMITS.mediaPosition;

/** The longest run of `numbers` that never falls, as indexes. */
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
  const rise: number[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) rise.unshift(at);
  return rise;
}

/**
 * What may stay as it is when items shall stand in this order. Those without a place can only stand first, and only in
 * the order they have among themselves; between two that stay there must be room for those that do not.
 * @param shown where each stands now
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

/** `count` whole numbers that rise between two that stay (both excluded). */
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
 * The fewest new places that bring items into an order.
 * @param items as they stand now
 * @param wanted their ids as they shall stand
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

/** Ids with one of them moved to another place in the row. */
export function moveId(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((each) => each !== id);
  rest.splice(Math.max(0, Math.min(to, rest.length)), 0, id);
  return rest;
}
