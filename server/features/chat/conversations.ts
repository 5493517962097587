import { and, count, eq, gt, inArray, lte, ne, sql, type SQL } from 'drizzle-orm';
import { LIMITS } from '#contract/limits.ts';
import type { Conversation } from '#contract/records/chat.ts';
import { isOpen } from '#server/platform/access/open-conversations.ts';
import { getPersonSummaries } from '#server/platform/access/person-summaries.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { conversationMembers, conversations, messages, users } from '#server/platform/db/schema.ts';
import { parseId } from '#server/platform/http/ids.ts';
import { conversationChannel } from '#server/platform/live/names.ts';
import { deleteNotifications } from '../notifications/store.ts';
import { presentAbout } from './about-audition.ts';
import { addMessage, presentMessage } from './messages.ts';
import { type ConversationRow, getOtherId, isMember } from './participants.ts';
import { toMessageSubject } from './read-cursors.ts';

/** Before the id of a conversation, where clients use the id of a connection and there is none. */
const UNCONNECTED = 'conversation-';

/** What `connection_id` of a conversation says of it; null if it is not an id. */
export function parseConnectionId(text: string): { id: number } | { connectionId: number } | null {
  const isUnconnected = text.startsWith(UNCONNECTED);
  const id = parseId(isUnconnected ? text.slice(UNCONNECTED.length) : text);
  if (id === null) return null;
  return isUnconnected ? { id } : { connectionId: id };
}

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
    .where(and(wanted, isOpen, isMember(userId)));
  return found ?? null;
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

/** Opens or reopens the conversation of two people. @param reason why they may write to each other */
export async function openBetween(
  tx: Db,
  changes: ChangeLog,
  people: readonly [number, number],
  reason: { connectionId: number } | { requestId: number },
  now: Date,
): Promise<ConversationRow> {
  const pair = { firstId: Math.min(...people), secondId: Math.max(...people) };
  const [row] = await tx
    .insert(conversations)
    .values({ ...pair, ...reason, createdAt: now })
    .onConflictDoUpdate({ target: [conversations.firstId, conversations.secondId], set: reason })
    .returning();
  const conversationId = row!.id;
  await tx
    .insert(conversationMembers)
    .values(people.map((userId) => ({ conversationId, userId })))
    .onConflictDoNothing();
  for (const userId of people) changes.recordChange(userId, 'conversation', String(conversationId), null);
  return row!;
}

/** Opens or reopens the conversation of two newly connected people. The text of the request becomes its next message. */
export async function openConversation(
  tx: Db,
  changes: ChangeLog,
  connection: ConnectionPair,
  now: Date,
): Promise<void> {
  const { senderId, receiverId, message } = connection;
  const row = await openBetween(tx, changes, [senderId, receiverId], { connectionId: connection.id }, now);
  const conversationId = row.id;
  if (message === null) return;
  const plain = { message, replyTo: null, requestId: null, photo: null, clientId: null };
  const first = { conversationId, senderId, receiverId, ...plain, createdAt: now };
  // The receiver has already seen this text in the request.
  await addMessage(tx, changes, first, { shouldNotify: false });
}

/** Closes the conversation of an ended connection. Must run before the connection's row is deleted. */
export const closeConversationOf = (tx: Db, changes: ChangeLog, connectionId: number): Promise<void> =>
  closeConversations(tx, changes, eq(conversations.connectionId, connectionId));

/** Closes the conversation of two people, when one blocks the other. */
export const closeConversationBetween = (tx: Db, changes: ChangeLog, one: number, other: number): Promise<void> =>
  closeConversations(
    tx,
    changes,
    and(eq(conversations.firstId, Math.min(one, other)), eq(conversations.secondId, Math.max(one, other))),
  );

/** Closes all conversations of a person whose account is deleted. */
export const closeConversationsOf = (tx: Db, changes: ChangeLog, userId: number): Promise<void> =>
  closeConversations(tx, changes, isMember(userId));

/** Closes conversations, whether people are connected or one has asked the other about an audition. */
async function closeConversations(tx: Db, changes: ChangeLog, which: SQL | undefined): Promise<void> {
  const closed = await tx
    .update(conversations)
    .set({ connectionId: null, requestId: null })
    .where(and(which, isOpen))
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

/** Lists open conversations of this person; all of them if no ids are given. */
export async function listConversations(db: Db, userId: number, ids?: number[]): Promise<ConversationRow[]> {
  return db
    .select()
    .from(conversations)
    .where(and(isMember(userId), isOpen, ids === undefined ? undefined : inArray(conversations.id, ids)));
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
  const about = await presentAbout(db, userId, rows);
  const memberOf = new Map(members.map((each) => [`${each.conversationId} ${each.userId}`, each]));
  const shown = rows.map((row): Conversation => {
    const other = getOtherId(row, userId);
    const own = memberOf.get(`${row.id} ${userId}`);
    const theirs = shows.has(userId) && shows.has(other) ? memberOf.get(`${row.id} ${other}`) : undefined;
    const { name = '', title = null, profile_photo = null, slug = null } = summaries.get(other) ?? {};
    const message = lastOf.get(row.id);
    return {
      conversation_id: String(row.id),
      connection_id: row.connectionId === null ? `${UNCONNECTED}${row.id}` : String(row.connectionId),
      connected: row.connectionId !== null,
      audition: row.requestId === null ? null : (about.get(row.requestId) ?? null),
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
