import * as z from 'zod/mini';
import { LIMITS } from '../limits.ts';
import { idText } from '../schema.ts';

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
  message: z.string(),
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

const isSaid = (text: string) => text.trim() !== '';

export const sendMessageBody = z.object({
  conversation_id: idText,
  receiver_id: idText,
  message: z.string({ error: 'Write a message' }).check(
    z.refine(isSaid, { error: 'Write a message' }),
    z.refine((text: string) => [...text].length <= LIMITS.messageText, {
      error: `Use ${LIMITS.messageText} characters or fewer`,
    }),
  ),
  client_id: z.optional(z.uuid({ error: 'Send a UUID' })),
});

/** How far somebody has read, or has it. */
export const seqBody = z.object({
  seq: z.int({ error: 'Send the number of a message' }).check(z.minimum(0, { error: 'Send the number of a message' })),
});
