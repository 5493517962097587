import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { profileCard } from './people.ts';

/** What a casting call goes by, beside the words of a profile. A server of the bare specification leaves it out. */
export const searchFacts = z.object({
  user_id: z.string(),
  name: z.string(),
  min_age_range: z.nullable(z.int()),
  max_age_range: z.nullable(z.int()),
  profile_industry_id: z.nullable(z.string()),
  languages: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The best ones. */
  skills: z.array(z.object({ name: z.string(), level: z.int() })),
  /** Centimetres. */
  height: z.nullable(z.number()),
  hair: z.nullable(z.string()),
  eyes: z.nullable(z.string()),
  /** Of their recordings and videos: names, as in the records of media. */
  accents: z.array(z.string()),
  voice_languages: z.array(z.string()),
  has_reel: z.boolean(),
  is_active_lately: z.boolean(),
  is_saved: z.literal([0, 1]),
});

/** One who was found. */
export const searchRow = z.object({ ...profileCard.shape, facts: z.optional(searchFacts) });
export type SearchFacts = z.infer<typeof searchFacts>;
export type SearchRow = z.infer<typeof searchRow>;

/** A parameter that is given twice counts as a list, which is what a comma makes too. */
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
/** Something that is asked for, or not: nobody looks for people without a reel. */
const flag = optionalParam(
  z.pipe(
    z.literal(['0', '1'], { error: 'Send 1' }),
    z.transform((value) => value === '1'),
  ),
);

/**
 * What GET /search takes beside its page. Of `type`, `industry`, `location`, `hair`, `eyes`, `accent` and `voice_language` a
 * comma stands between alternatives; of `language` and `skill` all are wanted. `level` is the least one of the skill.
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
  /** Ids of the media forms' lists. */
  accent: text(200),
  voice_language: text(200),
  reel: flag,
  active: flag,
});
export type SearchQuery = z.output<typeof searchQuery>;
