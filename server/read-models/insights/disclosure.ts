import { MIN_GROUP_SIZE } from '#contract/records/insights.ts';

/** A group of people; groups do not overlap. */
export interface Group {
  people: number;
}

const byPeople = (a: Group, b: Group) => b.people - a.people;
const sum = (groups: readonly Group[]) => groups.reduce((all, { people }) => all + people, 0);

/**
 * Splits groups into those that may be published, largest first, and the rest. The size of the rest can be derived from the total,
 * so if it would be too small, the smallest published groups are moved into it.
 * @param ungrouped people of no group, who are always of the rest
 */
export function disclose<G extends Group>(
  groups: readonly G[],
  { maxGroups = Infinity, ungrouped = 0 }: { maxGroups?: number; ungrouped?: number } = {},
): { shown: G[]; rest: G[] } {
  const ordered = groups.filter(({ people }) => people > 0).sort(byPeople);
  let count = Math.min(maxGroups, ordered.filter(({ people }) => people >= MIN_GROUP_SIZE).length);
  const isTooFew = () => {
    const left = ungrouped + sum(ordered.slice(count));
    return left > 0 && left < MIN_GROUP_SIZE;
  };
  while (count > 0 && isTooFew()) count -= 1;
  return { shown: ordered.slice(0, count), rest: ordered.slice(count) };
}

/** Merges neighboring groups until each has enough people. The result may be a single group, even a small one, or empty. */
export function mergeNeighbors<T extends Group>(steps: readonly T[], join: (a: T, b: T) => T): T[] {
  const joined: T[] = [];
  let open: T | null = null;
  for (const step of steps) {
    open = open === null ? step : join(open, step);
    if (open.people < MIN_GROUP_SIZE) continue;
    joined.push(open);
    open = null;
  }
  if (open === null) return joined;
  const last = joined.pop();
  return [...joined, last === undefined ? open : join(last, open)];
}

/** Rounds down to a multiple of the minimum group size, so that one person more or less is not visible. */
export const roundDownToGroup = (people: number): number => Math.floor(people / MIN_GROUP_SIZE) * MIN_GROUP_SIZE;

/** Percentage in steps of five, from 5 to 95; null if the remaining people are too few for a group. */
export function toShare(part: number, whole: number): number | null {
  if (whole - part < MIN_GROUP_SIZE) return null;
  return Math.min(95, Math.max(5, Math.round((part / whole) * 20) * 5));
}

/** Rounds to two significant figures: 18,250 → 18,000. */
export function toTwoSignificantFigures(amount: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(amount)) - 1);
  return Math.round(amount / step) * step;
}

/** @param sorted at least one, ascending */
export function quantile(sorted: readonly number[], at: number): number {
  const place = (sorted.length - 1) * at;
  const below = sorted[Math.floor(place)] ?? 0;
  const above = sorted[Math.ceil(place)] ?? below;
  return below + (above - below) * (place - Math.floor(place));
}
