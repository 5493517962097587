import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { REPORT_TARGETS } from '../report-targets.ts';
import { REPORT_REASONS, type ReportReason } from '../report-reasons.ts';
import { boundedText, idText } from '../schema.ts';
import { verified } from './office.ts';
import { profileType } from './profile.ts';

/** The summary of a profile for lists. GET /sync sends it as `saved_profile`, under the id of the profile. */
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

/**
 * A connection or a pending request between two people. `user_id` sent the request and `connected_user_id` received it; `name`
 * and the fields after it describe the other person.
 */
export const connectionRecord = z.object({
  /** Null for a suggestion, like `status`. */
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
  /** Forms the URL of their page together with `slug`; null when they have no active profile. */
  profile_type: z.nullable(profileType),
  /** Industries of their active profiles. */
  industry_ids: z.array(z.string()),
  /** Null until the request is accepted. */
  conversation_id: z.nullable(z.string()),
  message: z.nullable(z.string()),
  /** Present for the sender only. */
  client_id: z.nullable(z.string()),
  updated_at: z.nullable(z.string()),
  /** About the other person. */
  verified,
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

/** A person whom the caller has blocked. Nobody can read the blocks of others. */
export const blockRecord = z.object({ user_id: z.string(), name: z.string(), created_at: z.string() });
export type BlockRecord = z.infer<typeof blockRecord>;

const REASONS = Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]];

/** A report of a person to the desk, or of something of theirs: that is kept as it is now. */
export const reportBody = z.object({
  user_id: idText,
  /** By default the person. */
  target_type: z.optional(z.literal(REPORT_TARGETS, { error: 'Choose one from the list' })),
  target_id: z.optional(idText),
  reason: z.literal(REASONS, { error: 'Choose one from the list' }),
  text: z.optional(
    z.pipe(
      z.transform((value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value)),
      z.nullable(boundedText(LIMITS.reportText)),
    ),
  ),
});

export const savedResponse = z.object({ message: z.string(), is_saved: z.literal([0, 1]) });
