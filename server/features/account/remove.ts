import { eq, inArray, or } from 'drizzle-orm';
import type { Db } from '#server/db/connect.ts';
import type { ChangeLog } from '#server/db/feed.ts';
import {
  connections,
  conversations,
  media,
  profiles,
  savedProfiles,
  sectionRows,
  storedFiles,
  uploadParts,
  uploads,
  users,
} from '#server/db/schema.ts';
import { closeConversation } from '#server/features/chat/store.ts';
import { dropCausedBy } from '#server/features/notifications/store.ts';
import { endAllSessions } from './store.ts';
import { noteSavers } from '#server/features/people/watchers.ts';

/** Notes in the mirrors of others what of this person's they have: connections, what they saved, words on a page, and news. */
async function tellOthers(tx: Db, changes: ChangeLog, userId: number, profileIds: number[]): Promise<void> {
  const ties = await tx
    .select()
    .from(connections)
    .where(or(eq(connections.senderId, userId), eq(connections.receiverId, userId)));
  for (const { id, senderId, receiverId } of ties) {
    changes.deleted(senderId === userId ? receiverId : senderId, 'connection', String(id), null);
    await closeConversation(tx, changes, id);
  }
  await dropCausedBy(tx, changes, userId);
  const saved = await tx.select().from(savedProfiles).where(inArray(savedProfiles.profileId, profileIds));
  for (const each of saved) changes.deleted(each.userId, 'saved_profile', String(each.profileId), null);
  const items = await tx.select({ id: media.id }).from(media).where(eq(media.userId, userId));
  await noteSavers(
    tx,
    changes,
    items.map(({ id }) => id),
    'deleted',
  );
  // Words of one person on another's page are in the mirrors of both.
  const rows = await tx
    .select({ row: sectionRows, ownerId: profiles.userId })
    .from(sectionRows)
    .innerJoin(profiles, eq(profiles.id, sectionRows.profileId))
    .where(or(eq(sectionRows.userId, userId), inArray(sectionRows.profileId, profileIds)));
  for (const { row, ownerId } of rows) {
    const other = row.userId === userId ? ownerId : row.userId;
    if (other !== userId) changes.deleted(other, row.section, String(row.id), String(row.profileId));
  }
}

/**
 * Takes a person out of the database with everything that is theirs.
 * @returns the keys of their files, which may go once this is committed
 */
export async function removePerson(tx: Db, changes: ChangeLog, userId: number): Promise<string[]> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update');
  const own = await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.userId, userId));
  await tellOthers(
    tx,
    changes,
    userId,
    own.map(({ id }) => id),
  );
  // Conversations go with either of the two, and with them what the other one sent there.
  const files = await tx
    .select({ key: storedFiles.key })
    .from(storedFiles)
    .leftJoin(conversations, eq(conversations.id, storedFiles.conversationId))
    .where(or(eq(storedFiles.userId, userId), eq(conversations.firstId, userId), eq(conversations.secondId, userId)));
  const parts = await tx
    .select({ key: uploadParts.key })
    .from(uploadParts)
    .innerJoin(uploads, eq(uploads.id, uploadParts.uploadId))
    .where(eq(uploads.userId, userId));
  await endAllSessions(tx, changes, userId);
  await tx.delete(users).where(eq(users.id, userId));
  return [...files, ...parts].map(({ key }) => key);
}
