import * as z from 'zod/mini';
import { profileRecord } from './profile.ts';

/** A link to another profile of the same person. */
export const siblingProfile = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  profile_type: z.object({ slug: z.string() }),
});

/** Everything of a profile that the caller may see. */
export const profilePage = z.object({
  profile: profileRecord,
  /** All profiles of the same person, including this one. */
  others: z.array(siblingProfile),
  /** Rows by section key, as in the response of the section's own endpoint; 'media' holds all kinds of media. */
  rows: z.record(z.string(), z.array(z.looseObject({ id: z.string() }))),
});
export type ProfilePage = z.infer<typeof profilePage>;
