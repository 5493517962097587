import { and, eq, gt, inArray, lt, ne, or, sql } from 'drizzle-orm';
import type { ReceiptChanged } from '#contract/records/live.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { conversationMembers, conversations, messages, users } from '#server/platform/db/schema.ts';
import { userChannel } from '#server/platform/live/names.ts';
import { markRead } from '../notifications/store.ts';
import { type ConversationRow, getOtherId } from './participants.ts';

/**
 * Advances the read and delivered positions past the person's own messages that follow directly. An own message that waited on
 * an offline device does not mark the messages before it as read. This runs as a separate statement after the one that advanced
 * the positions or added the message, so that of two concurrent transactions the later one sees the result of the earlier.
 * @returns the read position
 */
export async function skipOwnMessages(tx: Db, conversationId: number, userId: number): Promise<number> {
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

export const toMessageSubject = (conversations: number | number[]) => ({
  type: ['message.received' as const, 'casting.question' as const],
  subjectId: conversations,
});

/** Marks the notifications about a conversation as read, once all of its messages are read. */
export async function markConversationRead(
  tx: Db,
  changes: ChangeLog,
  userId: number,
  id: number,
  now: Date,
): Promise<void> {
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
  const [own] = await tx
    .select()
    .from(conversationMembers)
    .where(and(eq(conversationMembers.conversationId, row.id), eq(conversationMembers.userId, userId)));
  const receipt: ReceiptChanged = {
    conversation_id: id,
    delivered_seq: own?.deliveredSeq ?? 0,
    read_seq: own?.readSeq ?? 0,
  };
  changes.recordChange(other, 'conversation', id, null, { receipt });
  changes.publish([userChannel(other)], 'ReceiptChanged', receipt);
}
