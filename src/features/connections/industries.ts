import { CALLS } from '#contract/calls.ts';
import type { Tie } from '#db/network.ts';
import { useLookup } from '#shared/queries/use-lookup.ts';

/** An industry one may look at one's network by. */
export interface IndustryChoice {
  id: string;
  name: string;
  /** Address of its picture. */
  icon: string | undefined;
  /** Of one's own connections. */
  known: number;
  /** On the whole board, as the server last counted; undefined where it does not. */
  people: number | undefined;
}

/** Every industry, with how many of these people work in it. */
export function useIndustries(ties: readonly Tie[]): IndustryChoice[] {
  const industries = useLookup('industries', CALLS.industries);
  return industries.map(({ id, name, icon, count }) => ({
    id,
    name,
    icon,
    known: ties.filter(({ industryIds }) => industryIds.includes(id)).length,
    people: count,
  }));
}
