import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { idText } from '../schema.ts';

export const NOTIFICATION_TYPES = [
  'connection.requested',
  'connection.accepted',
  'message.received',
  'feedback.received',
  'profile.saved',
  'audition.requested',
  'audition.changed',
  'audition.reminder',
  'audition.withdrawn',
  'audition.answered',
  'audition.watched',
  'audition.confirmed',
  'audition.declined',
  'casting.tape_arrived',
  'casting.question',
  'project.invited',
  'project.removed',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

/** The records that a notification links to. `text` is the beginning of the written text; of an audition, its role and project; of an invitation, the project. */
export const notificationData = z.object({
  connection_id: z.optional(z.string()),
  conversation_id: z.optional(z.string()),
  profile_id: z.optional(z.string()),
  feedback_id: z.optional(z.string()),
  /** To the performer. */
  audition_id: z.optional(z.string()),
  /** To the side that casts. */
  request_id: z.optional(z.string()),
  role_id: z.optional(z.string()),
  /** To the colleague. */
  project_id: z.optional(z.string()),
  text: z.optional(z.string()),
});
export type NotificationData = z.infer<typeof notificationData>;

/**
 * Reports an action of another person. There is at most one notification per type and subject: a repeated action moves it to
 * the top with a new time, unread, and undoing the action removes it.
 */
export const notificationRecord = z.object({
  id: z.string(),
  type: z.literal(NOTIFICATION_TYPES),
  actor: z.object({
    user_id: z.string(),
    name: z.string(),
    title: z.nullable(z.string()),
    profile_photo: z.nullable(z.string()),
    slug: z.nullable(z.string()),
    /** Forms the URL of their page together with `slug`. */
    profile_type: z.nullable(z.object({ id: z.string(), name: z.string(), slug: z.string() })),
  }),
  data: notificationData,
  read_at: z.nullable(z.string()),
  created_at: z.string(),
});
export type Notification = z.infer<typeof notificationRecord>;

/** The notifications to mark as read, or all of them. */
export const readNotificationsBody = z.object({
  ids: z.optional(
    z
      .array(idText, { error: 'Send a list of ids' })
      .check(z.maxLength(LIMITS.notificationsPerRequest, { error: `Send ${LIMITS.notificationsPerRequest} or fewer` })),
  ),
  /** By id, the `created_at` of the notification that was seen. One that was raised again after it stays unread. */
  created_at: z.optional(z.record(idText, z.iso.datetime({ error: 'Send a date and time' }))),
  all: z.optional(z.literal(true, { error: 'Send true or leave it out' })),
});
