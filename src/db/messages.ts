import { LIMITS } from '#contract/limits.ts';
import type { Message } from '#contract/records/chat.ts';
import type { AccountDb } from './database.ts';
import { findRecord, type MirroredConversation } from './mirror.ts';
import type { MessageFields } from './patches.ts';
import type { ReadCursor } from './rows.ts';

/** The type of a conversation's record in the mirror. */
export const CONVERSATION = 'conversation';
/** The key of a conversation's draft: `{ message, photo }`, where `photo` is the id of a stored file. */
export const chatDraft = (conversationId: string): string => `chat:${conversationId}`;

/**
 * Saves the given parts of a message draft. Other parts stay as they are. Resolves with the photo that the draft had
 * before.
 * @param now milliseconds since the epoch, for display
 */
export function saveMessageDraft(
  db: AccountDb,
  conversationId: string,
  part: Partial<MessageDraft>,
  now: number,
): Promise<string | null> {
  const key = chatDraft(conversationId);
  return db.transaction('rw', db.drafts, async () => {
    const before = (await db.drafts.get(key))?.values;
    const values: Record<string, unknown> = { ...before, ...part };
    if (Object.values(values).some(Boolean)) await db.drafts.put({ key, values, at: now });
    else await db.drafts.delete(key);
    return typeof before?.photo === 'string' ? before.photo : null;
  });
}

/** A message draft. `photo`: the id of the stored file of a picked photo. */
export type MessageDraft = MessageFields & { photo: string | null };

/** Messages by sequence number, both ends included, in order. Omits messages that are not on this device. */
export function messagesBetween(db: AccountDb, conversationId: string, low: number, high: number): Promise<Message[]> {
  return db.messages
    .where('[conversation_id+seq]')
    .between([conversationId, low], [conversationId, high], true, true)
    .toArray();
}

/** Sequence number of the newest message on this device; 0 when there is none. */
export async function newestSeq(db: AccountDb, conversationId: string): Promise<number> {
  const keys = await db.messages
    .where('[conversation_id+seq]')
    .between([conversationId, 0], [conversationId, Infinity])
    .reverse()
    .limit(1)
    .primaryKeys();
  return keys[0]?.[1] ?? 0;
}

/** The mirror record of one conversation. */
export async function mirroredConversation(db: AccountDb, id: string): Promise<MirroredConversation | null> {
  return (await findRecord(db, CONVERSATION, id))?.body ?? null;
}

/** How far the user has read a conversation, on this device or, as the server reported, on another. */
export const getReadSeq = (told: MirroredConversation, reading: ReadCursor | undefined): number =>
  Math.max(Number(told.read_seq), reading?.read ?? 0);

/**
 * Counts the other person's messages after the read cursor, up to the same limit as the server. Messages that are not
 * on this device count as theirs.
 */
export async function countUnread(
  db: AccountDb,
  told: MirroredConversation,
  reading: ReadCursor | undefined,
): Promise<number> {
  const read = getReadSeq(told, reading);
  const count = Math.min(LIMITS.maxUnreadCount, (told.last_message?.seq ?? 0) - read);
  if (count <= 0) return 0;
  const here = await messagesBetween(db, String(told.conversation_id), read + 1, read + count);
  return count - here.filter(({ sender_id }) => sender_id === db.userId).length;
}
