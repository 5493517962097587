import { eq, inArray } from 'drizzle-orm';
import * as z from 'zod/mini';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteBatch } from '#server/platform/db/delete-in-batches.ts';
import { conversations, erasures, messages, storedFiles, syncRecords } from '#server/platform/db/schema.ts';
import { defineJob, UNLIMITED_TRIES } from '#server/platform/jobs/kinds.ts';
import { removeFilesLater } from '#server/platform/storage/remove-files.ts';
import { isMember } from '#server/features/chat/participants.ts';

const CONVERSATIONS_PER_BATCH = 50;

/** Removes what a deleted account left behind. */
export const ERASE_ACCOUNT = defineJob({
  name: 'account.erase',
  payload: z.object({ user: z.int() }),
  tries: UNLIMITED_TRIES,
});

/** Removes conversations without messages, and the files that were sent in them. */
async function removeConversations(tx: Db, ids: number[]): Promise<void> {
  const sent = await tx
    .select({ key: storedFiles.key })
    .from(storedFiles)
    .where(inArray(storedFiles.conversationId, ids));
  await removeFilesLater(
    tx,
    sent.map(({ key }) => key),
  );
  await tx.delete(conversations).where(inArray(conversations.id, ids));
}

/** Removes a batch of what a deleted account left behind. @returns whether there may be more for this node to remove */
async function eraseBatch(tx: Db, userId: number): Promise<boolean> {
  // Another node that erases the same person holds this lock, and goes on by itself.
  const [erasure] = await tx.select().from(erasures).where(eq(erasures.userId, userId)).for('update', {
    skipLocked: true,
  });
  if (erasure === undefined) return false;
  const some = await tx
    .select({ id: conversations.id })
    .from(conversations)
    .where(isMember(userId))
    .limit(CONVERSATIONS_PER_BATCH);
  const ids = some.map(({ id }) => id);
  if (ids.length > 0) {
    const gone = await deleteBatch(tx, messages, inArray(messages.conversationId, ids));
    if (gone === 0) await removeConversations(tx, ids);
    return true;
  }
  return (await deleteBatch(tx, syncRecords, eq(syncRecords.userId, userId))) > 0;
}

/**
 * Removes what a deleted account left behind: conversations with their messages, and the sync feed. Each batch is a transaction of its
 * own, so this can be interrupted, repeated, and run on several nodes at once.
 */
export async function eraseAccount(db: Db, userId: number): Promise<void> {
  while (await db.transaction((tx) => eraseBatch(tx, userId)));
}
