import { and, asc, count, desc, eq, gt, inArray, isNotNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { LIMITS } from '#contract/limits.ts';
import type * as z from 'zod/mini';
import type { Conversation, Message, MessagePhoto, sendMessageBody } from '#contract/records/chat.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import { conversationMembers, conversations, messages, users } from '#server/platform/db/schema.ts';
import { conversationChannel, userChannel } from '#server/platform/live/names.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { storagePath } from '#server/platform/storage/storage.ts';
import { getPreview, deleteNotifications, markRead, notify } from '../notifications/store.ts';
import { getPersonSummaries } from '#server/platform/access/person-summaries.ts';

export type ConversationRow = typeof conversations.$inferSelect;
export type MessageRow = typeof messages.$inferSelect;
export type StoredPhoto = NonNullable<MessageRow['photo']>;

/** Larger frames may exceed the limits of push services, so devices fetch such a message instead. */
const MAX_FRAME_BYTES = 10_000;

export const getOtherId = (
  { firstId, secondId }: Pick<ConversationRow, 'firstId' | 'secondId'>,
  userId: number,
): number => (firstId === userId ? secondId : firstId);

const isMember = (userId: number) => or(eq(conversations.firstId, userId), eq(conversations.secondId, userId));

/** Finds an open conversation of this person, or null. */
export async function findOpenConversation(
  db: Db,
  userId: number,
  by: { id: number } | { connectionId: number },
): Promise<ConversationRow | null> {
  const wanted = 'id' in by ? eq(conversations.id, by.id) : eq(conversations.connectionId, by.connectionId);
  const [found] = await db
    .select()
    .from(conversations)
    .where(and(wanted, isNotNull(conversations.connectionId), isMember(userId)));
  return found ?? null;
}

/** Whether this person is a participant of the conversation, open or closed. */
export async function isParticipant(db: Db, userId: number, id: number): Promise<boolean> {
  const found = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.id, id), isMember(userId)));
  return found.length > 0;
}

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
  const isLarge = Buffer.byteLength(JSON.stringify(message)) > MAX_FRAME_BYTES;
  const payload = isLarge ? { id, client_id, conversation_id, seq, sender_id, truncated: true } : message;
  const channels = [conversationChannel(row.conversationId), userChannel(row.senderId), userChannel(row.receiverId)];
  changes.publish(channels, 'MessageSent', { message: payload });
  for (const userId of [row.senderId, row.receiverId]) {
    changes.recordChange(userId, 'message', id, conversation_id);
    changes.recordChange(userId, 'conversation', conversation_id, null);
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
    .where(eq(conversations.id, sent.conversationId))
    .returning({ seq: conversations.lastSeq });
  if (head === undefined) throw new Error('The conversation is gone');
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
  const data = { conversation_id: String(subjectId), text: getPreview(sent.message) || 'Photo' };
  const notification = { userId: sent.receiverId, actorId: sent.senderId, subjectId, data };
  if (shouldNotify) await notify(tx, changes, { ...notification, type: 'message.received' }, sent.createdAt);
  if (hasReadAll) await markConversationRead(tx, changes, sent.senderId, subjectId, sent.createdAt);
  return row!;
}

/**
 * Advances the read and delivered positions past the person's own messages that follow directly. An own message that waited on
 * an offline device does not mark the messages before it as read. This runs as a separate statement after the one that advanced
 * the positions or added the message, so that of two concurrent transactions the later one sees the result of the earlier.
 * @returns the read position
 */
async function skipOwnMessages(tx: Db, conversationId: number, userId: number): Promise<number> {
  const { readSeq, deliveredSeq } = conversationMembers;
  const past = (column: typeof readSeq | typeof deliveredSeq) => {
    const isNext = and(
      eq(messages.conversationId, conversationId),
      gt(messages.seq, column),
      ne(messages.senderId, userId),
    );
    const seqBeforeNext = tx
      .select({ seq: sql`min(${messages.seq}) - 1` })
      .from(messages)
      .where(isNext);
    const isThis = eq(conversations.id, conversationId);
    const end = tx.select({ seq: conversations.lastSeq }).from(conversations).where(isThis);
    return sql`coalesce((${seqBeforeNext}), (${end}))`;
  };
  const [own] = await tx
    .update(conversationMembers)
    .set({ readSeq: past(readSeq), deliveredSeq: past(deliveredSeq) })
    .where(and(eq(conversationMembers.conversationId, conversationId), eq(conversationMembers.userId, userId)))
    .returning({ read: readSeq });
  return own?.read ?? 0;
}

const toMessageSubject = (conversations: number | number[]) => ({
  type: 'message.received' as const,
  subjectId: conversations,
});

/** Marks the notifications about a conversation as read, once all of its messages are read. */
async function markConversationRead(tx: Db, changes: ChangeLog, userId: number, id: number, now: Date): Promise<void> {
  await markRead(tx, changes, userId, { about: toMessageSubject(id) }, now);
}

async function advanceSeqs(
  tx: Db,
  conversationId: number,
  userId: number,
  { readSeq = 0, deliveredSeq = 0 }: { readSeq?: number; deliveredSeq?: number },
): Promise<boolean> {
  const { readSeq: read, deliveredSeq: delivered } = conversationMembers;
  const raised = await tx
    .update(conversationMembers)
    .set({
      readSeq: sql`greatest(${read}, ${readSeq}::int)`,
      deliveredSeq: sql`greatest(${delivered}, ${deliveredSeq}::int, ${readSeq}::int)`,
    })
    .where(
      and(
        eq(conversationMembers.conversationId, conversationId),
        eq(conversationMembers.userId, userId),
        or(lt(read, readSeq), lt(delivered, Math.max(deliveredSeq, readSeq))),
      ),
    )
    .returning({ userId: conversationMembers.userId });
  return raised.length > 0;
}

/** Whether both people share read receipts. */
async function shareReceipts(db: Db, one: number, other: number): Promise<boolean> {
  const rows = await db
    .select({ readReceipts: users.readReceipts })
    .from(users)
    .where(inArray(users.id, [one, other]));
  return rows.length === 2 && rows.every(({ readReceipts }) => readReceipts);
}

/** Records the read or delivered position of a person; it never moves back or past the last message. */
export async function recordSeq(
  tx: Db,
  changes: ChangeLog,
  row: ConversationRow,
  userId: number,
  what: 'readSeq' | 'deliveredSeq',
  seq: number,
  now: Date,
): Promise<void> {
  // A concurrent message either waits for this lock or is counted, so its notification is not marked as read too early.
  const [end] = await tx
    .select({ seq: conversations.lastSeq })
    .from(conversations)
    .where(eq(conversations.id, row.id))
    .for('share');
  const lastSeq = end?.seq ?? 0;
  const hasAdvanced = await advanceSeqs(tx, row.id, userId, { [what]: Math.min(seq, lastSeq) });
  const read = hasAdvanced ? await skipOwnMessages(tx, row.id, userId) : seq;
  if (what === 'readSeq' && read >= lastSeq) await markConversationRead(tx, changes, userId, row.id, now);
  if (!hasAdvanced) return;
  const id = String(row.id);
  changes.recordChange(userId, 'conversation', id, null);
  const other = getOtherId(row, userId);
  if (!(await shareReceipts(tx, userId, other))) return;
  changes.recordChange(other, 'conversation', id, null);
  const [notified] = await tx
    .select()
    .from(conversationMembers)
    .where(and(eq(conversationMembers.conversationId, row.id), eq(conversationMembers.userId, userId)));
  changes.publish([userChannel(other)], 'ReceiptChanged', {
    conversation_id: id,
    delivered_seq: notified?.deliveredSeq ?? 0,
    read_seq: notified?.readSeq ?? 0,
  });
}

/** Stars or pins a conversation for one of its participants, or undoes that. */
export async function setToggle(
  tx: Db,
  changes: ChangeLog,
  row: ConversationRow,
  userId: number,
  toggle: { isStarred: boolean } | { isPinned: boolean },
): Promise<void> {
  await tx
    .update(conversationMembers)
    .set(toggle)
    .where(and(eq(conversationMembers.conversationId, row.id), eq(conversationMembers.userId, userId)));
  changes.recordChange(userId, 'conversation', String(row.id), null);
}

interface ConnectionPair {
  id: number;
  senderId: number;
  receiverId: number;
  message: string | null;
}

/** Opens or reopens the conversation of two newly connected people. The text of the request becomes its next message. */
export async function openConversation(
  tx: Db,
  changes: ChangeLog,
  connection: ConnectionPair,
  now: Date,
): Promise<void> {
  const pair = {
    firstId: Math.min(connection.senderId, connection.receiverId),
    secondId: Math.max(connection.senderId, connection.receiverId),
  };
  const [row] = await tx
    .insert(conversations)
    .values({ ...pair, connectionId: connection.id, createdAt: now })
    .onConflictDoUpdate({
      target: [conversations.firstId, conversations.secondId],
      set: { connectionId: connection.id },
    })
    .returning();
  const conversationId = row!.id;
  await tx
    .insert(conversationMembers)
    .values([connection.senderId, connection.receiverId].map((userId) => ({ conversationId, userId })))
    .onConflictDoNothing();
  for (const userId of [connection.senderId, connection.receiverId]) {
    changes.recordChange(userId, 'conversation', String(conversationId), null);
  }
  if (connection.message === null) return;
  const { senderId, receiverId, message } = connection;
  const plain = { message, replyTo: null, photo: null, clientId: null };
  const first = { conversationId, senderId, receiverId, ...plain, createdAt: now };
  // The receiver has already seen this text in the request.
  await addMessage(tx, changes, first, { shouldNotify: false });
}

/** Closes the conversations of ended connections. Must run before the connection rows are deleted. */
export async function closeConversations(tx: Db, changes: ChangeLog, connectionIds: number[]): Promise<void> {
  const closed = await tx
    .update(conversations)
    .set({ connectionId: null })
    .where(inArray(conversations.connectionId, connectionIds))
    .returning();
  if (closed.length === 0) return;
  for (const { id, firstId, secondId } of closed) {
    for (const userId of [firstId, secondId]) {
      changes.recordDeletion(userId, 'conversation', String(id), null);
      changes.revokeFromChannel(userId, conversationChannel(id));
    }
  }
  await deleteNotifications(tx, changes, toMessageSubject(closed.map(({ id }) => id)));
}

/** The ids of the open conversations, by connection id. */
export async function conversationsByConnection(db: Db, connectionIds: number[]): Promise<Map<number, string>> {
  if (connectionIds.length === 0) return new Map();
  const rows = await db
    .select({ id: conversations.id, connectionId: conversations.connectionId })
    .from(conversations)
    .where(inArray(conversations.connectionId, connectionIds));
  return new Map(rows.flatMap(({ id, connectionId }) => (connectionId === null ? [] : [[connectionId, String(id)]])));
}

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

/** Lists open conversations of this person; all of them if no ids are given. */
export async function listConversations(db: Db, userId: number, ids?: number[]): Promise<ConversationRow[]> {
  return db
    .select()
    .from(conversations)
    .where(
      and(
        isMember(userId),
        isNotNull(conversations.connectionId),
        ids === undefined ? undefined : inArray(conversations.id, ids),
      ),
    );
}

/** Records all open conversations of this person as changed, for both participants. */
export async function recordConversationChanges(tx: Db, changes: ChangeLog, userId: number): Promise<void> {
  for (const row of await listConversations(tx, userId)) {
    for (const member of [row.firstId, row.secondId])
      changes.recordChange(member, 'conversation', String(row.id), null);
  }
}

/**
 * Counts unread messages of the other person, by conversation. It examines a limited number of messages, so that the cost does not
 * depend on the length of a conversation.
 */
async function countUnread(db: Db, userId: number, ids: readonly number[]): Promise<Map<number, number>> {
  const { conversationId, readSeq } = conversationMembers;
  const unread = db
    .select({ unread: count() })
    .from(messages)
    .where(
      and(
        eq(messages.conversationId, conversationId),
        gt(messages.seq, readSeq),
        lte(messages.seq, sql`${readSeq} + ${LIMITS.maxUnreadCount}::int`),
        ne(messages.senderId, userId),
      ),
    );
  const rows = await db
    .select({ conversationId, unread: sql`(${unread})`.mapWith(Number) })
    .from(conversationMembers)
    .where(and(eq(conversationMembers.userId, userId), inArray(conversationId, [...ids])));
  return new Map(rows.map((row) => [row.conversationId, row.unread]));
}

/** Presents conversations to one participant, ordered by newest message. */
export async function presentConversations(
  db: Db,
  userId: number,
  rows: readonly ConversationRow[],
): Promise<Conversation[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const others = rows.map((row) => getOtherId(row, userId));
  // Sequential, because queries of one transaction share a connection.
  const summaries = await getPersonSummaries(db, others);
  const members = await db.select().from(conversationMembers).where(inArray(conversationMembers.conversationId, ids));
  const last = await db
    .select({ message: messages })
    .from(conversations)
    .innerJoin(messages, and(eq(messages.conversationId, conversations.id), eq(messages.seq, conversations.lastSeq)))
    .where(inArray(conversations.id, ids));
  const receipts = await db
    .select({ id: users.id, readReceipts: users.readReceipts })
    .from(users)
    .where(inArray(users.id, [userId, ...others]));
  const shows = new Set(receipts.filter((each) => each.readReceipts).map(({ id }) => id));
  const lastOf = new Map(last.map(({ message }) => [message.conversationId, message]));
  const unreadOf = await countUnread(db, userId, ids);
  const memberOf = new Map(members.map((each) => [`${each.conversationId} ${each.userId}`, each]));
  const shown = rows.map((row): Conversation => {
    const other = getOtherId(row, userId);
    const own = memberOf.get(`${row.id} ${userId}`);
    const theirs = shows.has(userId) && shows.has(other) ? memberOf.get(`${row.id} ${other}`) : undefined;
    const { name = '', title = null, profile_photo = null, slug = null } = summaries.get(other) ?? {};
    const message = lastOf.get(row.id);
    return {
      conversation_id: String(row.id),
      connection_id: String(row.connectionId),
      other: { user_id: String(other), name, title, profile_photo, slug },
      last_message: message ? presentMessage(message) : null,
      unread_count: unreadOf.get(row.id) ?? 0,
      read_seq: own?.readSeq ?? 0,
      other_delivered_seq: theirs?.deliveredSeq ?? null,
      other_read_seq: theirs?.readSeq ?? null,
      starred: own?.isStarred ?? false,
      pinned: own?.isPinned ?? false,
    };
  });
  const newest = (each: Conversation) => each.last_message?.created_at ?? '';
  return shown.sort((a, b) => newest(b).localeCompare(newest(a)));
}

/** Loads messages of this person's open conversations by id, for the sync feed. */
export async function findMessagesByIds(db: Db, userId: number, ids: number[]): Promise<MessageRow[]> {
  const rows = await db
    .select({ message: messages })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(and(inArray(messages.id, ids), isMember(userId), isNotNull(conversations.connectionId)));
  return rows.map(({ message }) => message);
}
