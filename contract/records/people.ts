import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { REPORT_REASONS, type ReportReason } from '../report-reasons.ts';
import { boundedText, idText } from '../schema.ts';
import { profileType } from './profile.ts';

/** What a list needs of somebody's profile. In GET /sync a `saved_profile` is this, under the profile's own id. */
export const profileCard = z.object({
  id: z.string(),
  title: z.nullable(z.string()),
  stage_name: z.string(),
  location: z.nullable(z.string()),
  profile_type: profileType,
  profile_photo: z.nullable(z.string()),
  slug: z.string(),
});
export type ProfileCard = z.infer<typeof profileCard>;

const person = z.object({ id: z.string(), name: z.string() });

/** Two people who know each other, or one who asked. `user_id` sent it, `connected_user_id` got it; name and the rest are the other's. */
export const connectionRecord = z.object({
  /** Null for a suggestion, as is `status`. */
  id: z.nullable(z.string()),
  status: z.nullable(z.literal(['pending', 'accepted'])),
  sender: z.nullable(person),
  receiver: z.nullable(person),
  user_id: z.string(),
  connected_user_id: z.nullable(z.string()),
  name: z.string(),
  title: z.nullable(z.string()),
  address: z.nullable(z.string()),
  profile_photo: z.nullable(z.string()),
  slug: z.nullable(z.string()),
  /** With `slug` the address of their page; null where no profile of theirs is active. */
  profile_type: z.nullable(profileType),
  /** Industries their active profiles are in. */
  industry_ids: z.array(z.string()),
  /** Where they write to each other; null until it is accepted. */
  conversation_id: z.nullable(z.string()),
  message: z.nullable(z.string()),
  /** For who sent it. */
  client_id: z.nullable(z.string()),
  updated_at: z.nullable(z.string()),
});
export type Connection = z.infer<typeof connectionRecord>;

export const requestConnectionBody = z.object({
  message: z.optional(
    z.pipe(
      z.transform((value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)),
      z.nullable(boundedText(1000)),
    ),
  ),
  client_id: z.optional(z.uuid({ error: 'Send a UUID' })),
});

/** Somebody the caller has blocked. Whom others have blocked is not told to anybody. */
export const blockRecord = z.object({ user_id: z.string(), name: z.string(), created_at: z.string() });
export type BlockRecord = z.infer<typeof blockRecord>;

const REASONS = Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]];

/** What somebody tells who runs the server of another person. */
export const reportBody = z.object({
  user_id: idText,
  reason: z.literal(REASONS, { error: 'Choose one from the list' }),
  text: z.optional(
    z.pipe(
      z.transform((value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)),
      z.nullable(boundedText(LIMITS.reportText)),
    ),
  ),
});

export const savedResponse = z.object({ message: z.string(), is_saved: z.literal([0, 1]) });
