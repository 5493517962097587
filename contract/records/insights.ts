import * as z from 'zod/mini';

/** Nobody can be told from a group of so many; smaller ones are not shown. */
export const MIN_GROUP_SIZE = 5;

/**
 * What a group asks for a day in rupees, two figures of it. `people` is rounded down to a multiple of five. `low` and `high`:
 * between them is the middle half; null where the group is too small to say.
 */
const rates = {
  people: z.int(),
  median: z.number(),
  low: z.nullable(z.number()),
  high: z.nullable(z.number()),
};

/** People by the years since their first credit, from so many to less than so many (null: no end). */
export const rateBand = z.object({ from_years: z.int(), below_years: z.nullable(z.int()), ...rates });
export type RateBand = z.infer<typeof rateBand>;

/** `name` null: everybody of the industries that are too small to be shown, and of none. */
export const industryRates = z.object({ name: z.nullable(z.string()), ...rates, bands: z.array(rateBand) });
export type IndustryRates = z.infer<typeof industryRates>;

/** `name` null: everybody of the places that are not shown, and of none. `people` as in rates. */
export const cityCount = z.object({ name: z.nullable(z.string()), people: z.int() });
export type CityCount = z.infer<typeof cityCount>;

/** Per cent of the people, in steps of five; null: nearly all of them, or all. */
export const demandShare = z.object({ name: z.string(), share: z.nullable(z.int()) });
export type DemandShare = z.infer<typeof demandShare>;

/**
 * GET /insights, the same for everybody. Demand is what those people bring whom others asked to connect or saved lately:
 * `people` of them (as in rates; 0 where they are too few) in so many `days`.
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
