import * as z from 'zod/mini';

/** Smallest group that is published; members of smaller groups could be identified. */
export const MIN_GROUP_SIZE = 5;

/**
 * Day rates of a group in rupees, rounded to two significant figures. `people` is rounded down to a multiple of five. `low` and
 * `high` are the quartiles, null where the group is too small.
 */
const rates = {
  people: z.int(),
  median: z.number(),
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
};

/** Rates by years since the first credit, from `from_years` to less than `below_years` (null: no upper bound). */
export const rateBand = z.object({ from_years: z.int(), below_years: z.nullable(z.int()), ...rates });
export type RateBand = z.infer<typeof rateBand>;

/** A null `name` groups the people of industries that are too small to publish with those without an industry. */
export const industryRates = z.object({ name: z.nullable(z.string()), ...rates, bands: z.array(rateBand) });
export type IndustryRates = z.infer<typeof industryRates>;

/** A null `name` groups the people of places that are not published with those without a place. `people` is rounded as in rates. */
export const cityCount = z.object({ name: z.nullable(z.string()), people: z.int() });
export type CityCount = z.infer<typeof cityCount>;

/** `share`: percentage of the people, in steps of five; null when it is nearly or exactly all of them. */
export const demandShare = z.object({ name: z.string(), share: z.nullable(z.int()) });
export type DemandShare = z.infer<typeof demandShare>;

/**
 * GET /insights, the same for every caller. `demand` describes the languages and skills of people whom others recently saved or
 * asked to connect: `people` of them (rounded as in rates; 0 when too few) within the last `days`.
 */
export const insights = z.object({
  /** YYYY-MM-DD */
  as_of: z.string(),
  rates: z.array(industryRates),
  demand: z.object({
    days: z.int(),
    people: z.int(),
    languages: z.array(demandShare),
    skills: z.array(demandShare),
  }),
  cities: z.array(cityCount),
});
export type Insights = z.infer<typeof insights>;
