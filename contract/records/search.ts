import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { verified } from './office.ts';
import { profileCard } from './people.ts';

/** Casting criteria of a person, besides the text of the profile. The basic API omits them. */
export const searchFacts = z.object({
  user_id: z.string(),
  name: z.string(),
  min_age_range: z.nullable(z.int()),
  max_age_range: z.nullable(z.int()),
  profile_industry_id: z.nullable(z.string()),
  languages: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The highest levels only. */
  skills: z.array(z.object({ name: z.string(), level: z.int() })),
  /** Centimeters. */
  height: z.nullable(z.number()),
  hair: z.nullable(z.string()),
  eyes: z.nullable(z.string()),
  /** Accents of their recordings and videos: names, as in media records. */
  accents: z.array(z.string()),
  voice_languages: z.array(z.string()),
  has_reel: z.boolean(),
  is_active_lately: z.boolean(),
  is_saved: z.literal([0, 1]),
});

/** A search result. */
export const searchRow = z.object({ ...profileCard.shape, verified, facts: z.optional(searchFacts) });
export type SearchFacts = z.infer<typeof searchFacts>;
export type SearchRow = z.infer<typeof searchRow>;

/** An optional query parameter. A repeated parameter is equivalent to a comma-separated list; a blank one counts as absent. */
const optionalParam = <T extends z.ZodMiniType>(inner: T) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => {
        const text = Array.isArray(value) ? value.join(',') : value;
        return typeof text === 'string' && text.trim() === '' ? undefined : text;
      }),
      z.optional(inner),
    ),
  );
const text = (max: number) =>
  optionalParam(
    z.string({ error: 'Use plain text' }).check(z.maxLength(max, { error: `Keep it to ${max} characters` })),
  );
const number = (min: number, max: number) => {
  const error = `Enter a number from ${min} to ${max}`;
  return optionalParam(
    z.pipe(
      z.pipe(
        z.string({ error }).check(z.regex(/^\d{1,3}(\.\d)?$/, { error })),
        z.transform((value) => Number(value)),
      ),
      z.number().check(z.minimum(min, { error }), z.maximum(max, { error })),
    ),
  );
};
const age = number(LIMITS.ageMin, LIMITS.ageMax);
const height = number(1, 300);
/** A filter that is on or off; filtering for the opposite (people without a reel) is not offered. */
const flag = optionalParam(
  z.pipe(
    z.literal(['0', '1'], { error: 'Send 1' }),
    z.transform((value) => value === '1'),
  ),
);

/**
 * Query parameters of GET /search, besides pagination. Commas separate alternatives (OR) in `type`, `industry`, `location`,
 * `hair`, `eyes`, `accent` and `voice_language`; in `language` and `skill` every value must match (AND). `level` is the minimum
 * skill level.
 */
export const searchQuery = z.object({
  q: text(200),
  type: text(200),
  industry: text(200),
  language: text(200),
  location: text(200),
  skill: text(200),
  level: number(1, 3),
  age,
  min_age: age,
  max_age: age,
  min_height: height,
  max_height: height,
  hair: text(200),
  eyes: text(200),
  /** Ids from the lookup lists of the media forms. */
  accent: text(200),
  voice_language: text(200),
  reel: flag,
  active: flag,
});
export type SearchQuery = z.output<typeof searchQuery>;
