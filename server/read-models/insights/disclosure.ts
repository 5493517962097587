import { MIN_GROUP_SIZE } from '#contract/records/insights.ts';

/** People who are counted in one group and no other. */
export interface Group {
  people: number;
}

const byPeople = (a: Group, b: Group) => b.people - a.people;
const sum = (groups: readonly Group[]) => groups.reduce((all, { people }) => all + people, 0);

/**
 * Which of these groups may be shown, the biggest first, and which make up the rest. Whoever knows how many people there are
 * in all knows how many the rest are: where these would be too few, the smallest of the shown go with them.
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

/** Neighbours put together until each has enough people; one alone, or none, where all of them are too few. */
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

/** Rounded down to a multiple of five: one person more or less is not seen. */
export const roundDownToGroup = (people: number): number => Math.floor(people / MIN_GROUP_SIZE) * MIN_GROUP_SIZE;

/** Per cent in steps of five, 5 to 95; null where those who are left are too few to be a group. */
export function toShare(part: number, whole: number): number | null {
  if (whole - part < MIN_GROUP_SIZE) return null;
  return Math.min(95, Math.max(5, Math.round((part / whole) * 20) * 5));
}

/** Two figures of an amount: 18,250 → 18,000. */
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
