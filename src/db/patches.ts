import type * as z from 'zod/mini';
import type { ActName } from '#contract/casting/acts.ts';
import type { requestConnectionBody } from '#contract/records/people.ts';
import type { sendMessageBody } from '#contract/records/chat.ts';
import type { readNotificationsBody } from '#contract/records/notifications.ts';
import { type Effect, getEffect } from './effects.ts';
import type { PersonCard, SavedCards, SavedType } from './saved-and-connected.ts';
import type { FieldValues, OutboxRow } from './rows.ts';

/**
 * The patch of each kind of change. Fields that are sent have the type of the request's schema; the others are for the
 * screens of this device. All of it is stored, so fields may be added but not renamed.
 */

/** The fields of a message that the user chooses. */
export type MessageFields = Omit<
  z.infer<typeof sendMessageBody>,
  'conversation_id' | 'receiver_id' | 'client_id' | 'upload_id'
>;

/** `name`: the recipient's name. `audition_id`: of a question about an audition, which opens the conversation if there is none. */
export type SendPatch = MessageFields & { receiver_id: string; name: string; audition_id?: string };

/** Whether a toggle is on, with the card that lists show. */
export type TogglePatch<Card = SavedCards[SavedType] | { id: string; name: string }> = {
  saved: boolean;
  card: Card;
};

export type RequestPatch = Omit<z.infer<typeof requestConnectionBody>, 'client_id'> & {
  name: string;
  card?: PersonCard;
};

/** `connection`: the server's id of the request that is accepted. */
export type AcceptPatch = {
  connection: string;
  name: string;
  card?: PersonCard;
};

/** remove: withdraws a request or ends a connection. decline: refuses a request. block: ends it for good. */
export type DisconnectReason = 'remove' | 'decline' | 'block';

/** `slug`: of the blocked person's pages, if this device knew it. */
export type DisconnectPatch = {
  way: DisconnectReason;
  userId: string;
  name: string;
  slug?: string;
};

type ReadNotifications = z.infer<typeof readNotificationsBody>;

/** Rows of older versions have no `created_at`: those notifications count as seen however often they are raised. */
export type SeenPatch = Required<Pick<ReadNotifications, 'ids'>> & Pick<ReadNotifications, 'created_at'>;

/** Whether a change marks a notification as seen. It does not if the notification has been raised again since. */
export const isSeenIn = ({ ids, created_at }: SeenPatch, id: string, createdAt: string): boolean =>
  ids.includes(id) && createdAt <= (created_at?.[id] ?? createdAt);

/** `fields`: what is sent. `title`: what it is called in lists of changes: 'Say yes: Naseem, The Salt Road'. */
export type ActPatch = {
  act: ActName;
  fields: FieldValues;
  title: string;
};

/** The patch of a row, by effect. Edits of sections are untyped, because sections define their own fields. */
export interface Patches {
  create: FieldValues;
  update: FieldValues;
  /** Empty unless the row is a disconnect. */
  delete: Partial<DisconnectPatch>;
  upload: Record<string, never>;
  avatar: Record<string, never>;
  save: TogglePatch;
  connect: RequestPatch;
  accept: AcceptPatch;
  send: SendPatch;
  seen: SeenPatch;
  act: ActPatch;
}

/** Whether a row has this effect; tells the compiler what its patch holds. */
export const hasEffect = <E extends Effect>(row: OutboxRow, effect: E): row is OutboxRow<Patches[E]> =>
  getEffect(row) === effect;

/** Whether a row of a person's lane blocks them. Until the server has received it, the mirror still has what they did and shared. */
export const isBlock = (row: OutboxRow): row is OutboxRow<DisconnectPatch> => row.patch.way === 'block';

/** Lanes of changes without a record: one per person, one per conversation, and one for seen notifications. */
export const getPersonLane = (userId: string): string => `person:${userId}`;
export const getChatLane = (conversationId: string): string => `chat:${conversationId}`;
export const SEEN_LANE = 'seen';
