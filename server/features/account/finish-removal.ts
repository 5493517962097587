import { asc, eq, inArray } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteBatch } from '#server/platform/db/delete-in-batches.ts';
import { conversations, messages, removedPeople, syncRecords } from '#server/platform/db/schema.ts';
import { isMember } from '#server/features/chat/participants.ts';

const CONVERSATIONS_PER_BATCH = 50;

/** Removes a batch of what a deleted account left behind. @returns whether there may be more for this node to remove */
async function removeBatch(tx: Db, userId: number): Promise<boolean> {
  const isThis = eq(removedPeople.userId, userId);
  // Another node that removes rows of the same person holds this lock, and goes on by itself.
  const [waiting] = await tx.select().from(removedPeople).where(isThis).for('update', { skipLocked: true });
  if (waiting === undefined) return false;
  const some = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(isMember(userId))
    .limit(CONVERSATIONS_PER_BATCH);
  const ids = some.map(({ id }) => id);
  if (ids.length > 0) {
    const gone = await deleteBatch(tx, messages, inArray(messages.conversationId, ids));
    if (gone === 0) await tx.delete(conversations).where(inArray(conversations.id, ids));
    return true;
  }
  if ((await deleteBatch(tx, syncRecords, eq(syncRecords.userId, userId))) > 0) return true;
  await tx.delete(removedPeople).where(isThis);
  return false;
}

/**
 * Removes what a deleted account left behind: conversations with their messages, and the sync feed. Each batch is a transaction of its
 * own, so this can be interrupted, repeated, and run on several nodes at once.
 */
export async function finishRemoval(db: Db, userId: number): Promise<void> {
  while (await db.transaction((tx) => removeBatch(tx, userId)));
}

/** Finishes the deletions of accounts that a crash or an error interrupted. */
export async function finishRemovals(db: Db): Promise<void> {
  const waiting = await db.select().from(removedPeople).orderBy(asc(removedPeople.removedAt));
  for (const { userId } of waiting) await finishRemoval(db, userId);
}
