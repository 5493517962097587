import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { boundedText, calendarDay, idText as id } from '../schema.ts';
import { verified } from './office.ts';

export const profileType = z.object({ id: z.string(), name: z.string(), slug: z.string() });
export type ProfileType = z.infer<typeof profileType>;

export const profileRecord = z.object({
  id: z.string(),
  user_id: z.string(),
  user: z.object({ id: z.string(), name: z.string() }),
  stage_name: z.string(),
  slug: z.string(),
  status: z.literal(['active', 'inactive']),
  /** Whether only the owner sees the profile although it is active, for example until the e-mail is confirmed. For the owner alone; absent: no. */
  is_withheld: z.optional(z.boolean()),
  profile_type: profileType,
  title: z.nullable(z.string()),
  location: z.nullable(z.string()),
  per_day: z.nullable(z.number()),
  dob: z.nullable(z.string()),
  min_age_range: z.nullable(z.int()),
  max_age_range: z.nullable(z.int()),
  profile_industry_id: z.nullable(z.string()),
  profile_photo: z.nullable(z.string()),
  is_saved: z.literal([0, 1]),
  verified,
  connection: z.nullable(z.object({ id: z.string(), status: z.string(), direction: z.literal(['sent', 'received']) })),
  version: z.int(),
  updated_at: z.string(),
});
export type Profile = z.infer<typeof profileRecord>;

const optionalText = (max: number) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)),
      z.nullable(boundedText(max)),
    ),
  );
const age = z.nullable(
  z
    .int({ error: 'Enter a whole number' })
    .check(
      z.minimum(LIMITS.ageMin, { error: `Use an age from ${LIMITS.ageMin} to ${LIMITS.ageMax}` }),
      z.maximum(LIMITS.ageMax, { error: `Use an age from ${LIMITS.ageMin} to ${LIMITS.ageMax}` }),
    ),
);
const clientId = z.optional(z.uuid({ error: 'Send a UUID' }));

export const createProfileBody = z.object({
  profile_type_id: id,
  stage_name: boundedText(100, { missing: 'Add your stage name' }),
  title: optionalText(150),
  location: optionalText(150),
  profile_industry_id: z.optional(z.nullable(id)),
  client_id: clientId,
});

/**
 * The body of a profile update, as Edit Profile, the status toggle and About me send it. An omitted field keeps its value. The
 * server checks min ≤ max age against the stored row.
 */
export const updateProfileBody = z.object({
  profile_id: z.optional(id),
  stage_name: z.optional(boundedText(100, { missing: 'Add your stage name' })),
  title: optionalText(150),
  location: optionalText(150),
  per_day: z.optional(
    z.nullable(
      z
        .number({ error: 'Enter a number' })
        .check(z.minimum(0, { error: 'Enter 0 or more' }), z.maximum(LIMITS.perDayMax, { error: 'Check the amount' })),
    ),
  ),
  dob: z.optional(
    z.pipe(
      z.transform((value: unknown) => (value === '' ? null : value)),
      z.nullable(calendarDay),
    ),
  ),
  min_age_range: z.optional(age),
  max_age_range: z.optional(age),
  profile_industry_id: z.optional(z.nullable(id)),
  description: optionalText(LIMITS.aboutMe),
  status: z.optional(z.literal(['active', 'inactive'], { error: 'Use active or inactive' })),
});
