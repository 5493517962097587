import { CALLS } from '#contract/calls.ts';
import type { ConnectionView } from '#db/network.ts';
import { useLookup } from '#shared/queries/use-lookup.ts';

/** An industry by which the person can filter their network. */
export interface IndustryChoice {
  id: string;
  name: string;
  /** URL of its picture. */
  icon: string | undefined;
  /** How many of the person's own connections work in it. */
  connectionCount: number;
  /** How many members work in it, as last counted by the server; undefined if the server does not count them. */
  memberCount: number | undefined;
}

/** Returns every industry, with the number of the given connections who work in it. */
export function useIndustries(connections: readonly ConnectionView[]): IndustryChoice[] {
  const industries = useLookup('industries', CALLS.industries);
  return industries.map(({ id, name, icon, count }) => ({
    id,
    name,
    icon,
    connectionCount: connections.filter(({ industryIds }) => industryIds.includes(id)).length,
    memberCount: count,
  }));
}
