import { and, eq, or } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { conversations } from '#server/platform/db/schema.ts';

export type ConversationRow = typeof conversations.$inferSelect;

export const getOtherId = (
  { firstId, secondId }: Pick<ConversationRow, 'firstId' | 'secondId'>,
  userId: number,
): number => (firstId === userId ? secondId : firstId);

export const isMember = (userId: number) => or(eq(conversations.firstId, userId), eq(conversations.secondId, userId));

/** Whether this person is a participant of the conversation, open or closed. */
export async function isParticipant(db: Db, userId: number, id: number): Promise<boolean> {
  const found = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(and(eq(conversations.id, id), isMember(userId)));
  return found.length > 0;
}
