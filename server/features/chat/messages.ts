import { and, asc, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import type { Message, MessagePhoto, sendMessageBody } from '#contract/records/chat.ts';
import { isOpen } from '#server/platform/access/open-conversations.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { conversations, messages } from '#server/platform/db/schema.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { conversationChannel, MAX_EVENT_BYTES, userChannel } from '#server/platform/live/names.ts';
import { storagePath } from '#server/platform/storage/storage.ts';
import { getPreview, notify } from '../notifications/store.ts';
import { isMember } from './participants.ts';
import { markConversationRead, skipOwnMessages } from './read-cursors.ts';

export type MessageRow = typeof messages.$inferSelect;

export type StoredPhoto = NonNullable<MessageRow['photo']>;

const presentPhoto = ({ fileKey, thumbKey, renditions, sizeBytes, ...photo }: StoredPhoto): MessagePhoto => ({
  ...photo,
  media_type: 'image',
  path: storagePath(fileKey),
  size: sizeBytes,
  thumb_path: thumbKey === null ? null : storagePath(thumbKey),
  renditions: renditions.map(({ key, ...copy }) => ({ ...copy, path: storagePath(key) })),
});

export function presentMessage(row: MessageRow): Message {
  return {
    id: String(row.id),
    client_id: row.clientId,
    conversation_id: String(row.conversationId),
    seq: row.seq,
    sender_id: String(row.senderId),
    receiver_id: String(row.receiverId),
    message: row.message,
    media: row.photo && presentPhoto(row.photo),
    reply_to: row.replyTo,
    audition_id: row.requestId === null ? null : String(row.requestId),
    created_at: row.createdAt.toISOString(),
  };
}

/** The columns of a message that its sender chooses. */
export const toMessageColumns = ({ message, reply_to }: z.infer<typeof sendMessageBody>) => ({
  message,
  replyTo: reply_to ?? null,
});

/** Publishes a message to the devices of both participants. */
function publishMessage(changes: ChangeLog, row: MessageRow): void {
  const message = presentMessage(row);
  const { id, client_id, conversation_id, seq, sender_id } = message;
  // Devices fetch a message that is too large for an event.
  const isLarge = Buffer.byteLength(JSON.stringify(message)) > MAX_EVENT_BYTES;
  const payload = isLarge ? { id, client_id, conversation_id, seq, sender_id, truncated: true } : message;
  const channels = [conversationChannel(row.conversationId), userChannel(row.senderId), userChannel(row.receiverId)];
  changes.publish(channels, 'MessageSent', { message: payload });
  for (const userId of [row.senderId, row.receiverId]) {
    changes.recordChange(userId, 'message', id, conversation_id, { message });
    // Its last message and its positions follow from the message.
    changes.recordChange(userId, 'conversation', conversation_id, null, { message });
  }
}

/** Finds the message that this sender sent with this client id, in any conversation. */
export async function findMessageByClientId(db: Db, senderId: number, clientId: string): Promise<MessageRow | null> {
  const [found] = await db
    .select()
    .from(messages)
    .where(and(eq(messages.senderId, senderId), eq(messages.clientId, clientId)));
  return found ?? null;
}

/**
 * Appends a message and notifies the receiver. Its `seq` comes from the conversation's row, which stays locked until the commit, so a
 * reader that continues after a `seq` never misses a message that commits later.
 * @returns null if the sender has used this `clientId` before
 * @throws 422 if it answers a message that does not exist
 */
export async function addMessage(
  tx: Db,
  changes: ChangeLog,
  sent: Omit<MessageRow, 'id' | 'seq'>,
  { shouldNotify = true } = {},
): Promise<MessageRow | null> {
  const [head] = await tx
    .update(conversations)
    .set({ lastSeq: sql`${conversations.lastSeq} + 1` })
    // It may have been closed since it was read, by a block that commits at this moment.
    .where(and(eq(conversations.id, sent.conversationId), isOpen))
    .returning({ seq: conversations.lastSeq });
  if (head === undefined) throw notFound('conversation');
  if (sent.replyTo !== null && sent.replyTo >= head.seq) throw invalid({ reply_to: ['There is no such message'] });
  // Checked under the lock, so that of two concurrent repeats only one inserts.
  if (sent.clientId !== null && (await findMessageByClientId(tx, sent.senderId, sent.clientId)) !== null) {
    await tx
      .update(conversations)
      .set({ lastSeq: head.seq - 1 })
      .where(eq(conversations.id, sent.conversationId));
    return null;
  }
  const [row] = await tx
    .insert(messages)
    .values({ ...sent, seq: head.seq })
    .returning();
  const hasReadAll = (await skipOwnMessages(tx, sent.conversationId, sent.senderId)) >= head.seq;
  publishMessage(changes, row!);
  const subjectId = sent.conversationId;
  const data = getNotificationData(row!);
  const notification = { userId: sent.receiverId, actorId: sent.senderId, subjectId, data };
  if (shouldNotify) await notify(tx, changes, { ...notification, type: 'message.received' }, sent.createdAt);
  if (hasReadAll) await markConversationRead(tx, changes, sent.senderId, subjectId, sent.createdAt);
  return row!;
}

/** What the notification about a message says. */
export const getNotificationData = ({ conversationId, message }: Pick<MessageRow, 'conversationId' | 'message'>) => ({
  conversation_id: String(conversationId),
  text: getPreview(message) || 'Photo',
});

interface MessageWindow {
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
}

/** Lists messages in order: those before or after a `seq`, or the newest. It reads one extra row to detect further pages. */
export async function listMessages(db: Db, conversationId: number, { before, after, limit }: MessageWindow) {
  const isForward = after !== undefined;
  const rows = await db
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, conversationId),
        before === undefined ? undefined : lt(messages.seq, before),
        after === undefined ? undefined : gt(messages.seq, after),
      ),
    )
    .orderBy(isForward ? asc(messages.seq) : desc(messages.seq))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  return { messages: isForward ? shown : shown.reverse(), hasMore: rows.length > limit };
}

/** Loads messages of this person's open conversations by id, for the sync feed. */
export async function findMessagesByIds(db: Db, userId: number, ids: number[]): Promise<MessageRow[]> {
  const rows = await db
    .select({ message: messages })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(inArray(messages.id, ids), isMember(userId), isOpen));
  return rows.map(({ message }) => message);
}
