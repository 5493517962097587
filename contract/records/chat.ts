import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { idText } from '../schema.ts';
import { mediaRecord } from './media.ts';

/** The picture in a message; only the two of the conversation can fetch its addresses, and only while it is open. */
export const messagePhoto = z.pick(mediaRecord, {
  media_type: true,
  path: true,
  format: true,
  size: true,
  width: true,
  height: true,
  thumb_path: true,
  renditions: true,
});
export type MessagePhoto = z.infer<typeof messagePhoto>;

/** What one of two people wrote. */
export const messageRecord = z.object({
  id: z.string(),
  /** Minted by the device that wrote it; also what makes a repeat the same message. */
  client_id: z.nullable(z.string()),
  conversation_id: z.string(),
  /** 1, 2, 3 … in its conversation, without a gap, in the order of the commits. */
  seq: z.int(),
  sender_id: z.string(),
  receiver_id: z.string(),
  /** Empty only where there is a photo. */
  message: z.string(),
  media: z.nullable(messagePhoto),
  created_at: z.string(),
});
export type Message = z.infer<typeof messageRecord>;

/** A conversation as one of the two sees it. */
export const conversationRecord = z.object({
  conversation_id: z.string(),
  connection_id: z.string(),
  other: z.object({
    user_id: z.string(),
    name: z.string(),
    title: z.nullable(z.string()),
    profile_photo: z.nullable(z.string()),
    slug: z.nullable(z.string()),
  }),
  last_message: z.nullable(messageRecord),
  /** What the other one wrote after `read_seq`, of the first `LIMITS.maxUnreadCount` messages there. */
  unread_count: z.int(),
  /** What this one has read: on all of their devices. */
  read_seq: z.int(),
  /** How far the other one's devices have it, and how far they read it; both null where one of the two keeps receipts off. */
  other_delivered_seq: z.nullable(z.int()),
  other_read_seq: z.nullable(z.int()),
  starred: z.boolean(),
});
export type Conversation = z.infer<typeof conversationRecord>;

export const chatPage = z.object({
  conversation_id: z.string(),
  messages: z.array(messageRecord),
  /** There are more in the direction that was asked for. */
  has_more: z.boolean(),
});
export type ChatPage = z.infer<typeof chatPage>;

const hasText = (text: string) => text.trim() !== '';

export const sendMessageBody = z
  .object({
    conversation_id: idText,
    receiver_id: idText,
    message: z.string({ error: 'Write a message' }).check(
      z.refine((text: string) => [...text].length <= LIMITS.messageText, {
        error: `Keep it to ${LIMITS.messageText} characters`,
      }),
    ),
    client_id: z.optional(z.uuid({ error: 'Send a UUID' })),
    /** A complete upload: one JPEG or PNG photo. A message with one may do without words. */
    upload_id: z.optional(z.uuid({ error: 'Send a UUID' })),
  })
  .check(
    z.refine(({ message, upload_id }) => hasText(message) || upload_id !== undefined, {
      path: ['message'],
      error: 'Write a message',
      // Said beside what is wrong with other fields.
      when: ({ value }) => typeof (value as { message?: unknown }).message === 'string',
    }),
  );

/** How far somebody has read, or has it. */
export const seqBody = z.object({
  seq: z.int({ error: 'Send the number of a message' }).check(z.minimum(0, { error: 'Send the number of a message' })),
});
