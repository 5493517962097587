import * as z from 'zod/mini';
import { profileRecord } from './profile.ts';

/** One of a person's profiles, as it is offered beside another one. */
export const siblingProfile = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  profile_type: z.object({ slug: z.string() }),
});

/** Everything that the caller may see of a profile. */
export const profilePage = z.object({
  profile: profileRecord,
  /** The same person's profiles, this one among them. */
  others: z.array(siblingProfile),
  /** By section key, as the section's own call answers them, and under 'media' those of every kind. */
  rows: z.record(z.string(), z.array(z.looseObject({ id: z.string() }))),
});
export type ProfilePage = z.infer<typeof profilePage>;
