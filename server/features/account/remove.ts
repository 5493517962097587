import { and, eq, inArray, ne, or, type SQL } from 'drizzle-orm';
import { union } from 'drizzle-orm/pg-core';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import {
  auditionRequests,
  connections,
  erasures,
  media,
  profiles,
  savedProfiles,
  sectionRows,
  storedFiles,
  directUploads,
  uploadParts,
  uploads,
  users,
} from '#server/platform/db/schema.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { removeFilesLater } from '#server/platform/storage/remove-files.ts';
import { recordCandidatesRemoved } from '#server/features/casting/candidate-rows.ts';
import { recordMembersRemoved } from '#server/features/casting/member-rows.ts';
import { recordRequestsRemoved } from '#server/features/casting/rows.ts';
import { closeConversationsOf } from '#server/features/chat/conversations.ts';
import { dropMailsOf } from '#server/features/mail/queue.ts';
import { deleteNotificationsCausedBy } from '#server/features/notifications/store.ts';
import { ERASE_ACCOUNT } from './erase.ts';
import { endAllSessions, lockUser } from './store.ts';
import { recordForSavers } from '#server/platform/access/watchers.ts';

/** Records the deletion for everyone who has this person's connections, requests to audition, profiles, media, feedback or notifications in their mirror. */
async function recordChangesForOthers(tx: Db, changes: ChangeLog, userId: number, profileIds: number[]): Promise<void> {
  const ownConnections = await tx
    .select()
    .from(connections)
    .where(or(eq(connections.senderId, userId), eq(connections.receiverId, userId)));
  for (const { id, senderId, receiverId } of ownConnections) {
    changes.recordDeletion(senderId === userId ? receiverId : senderId, 'connection', String(id), null);
  }
  await closeConversationsOf(tx, changes, userId);
  await recordMembersRemoved(tx, changes, userId);
  await recordRequestsRemoved(tx, changes, userId);
  await recordCandidatesRemoved(tx, changes, userId);
  await deleteNotificationsCausedBy(tx, changes, userId);
  const saved = await tx.select().from(savedProfiles).where(inArray(savedProfiles.profileId, profileIds));
  for (const each of saved) changes.recordDeletion(each.userId, 'saved_profile', String(each.profileId), null);
  const items = await tx.select({ id: media.id }).from(media).where(eq(media.userId, userId));
  await recordForSavers(
    tx,
    changes,
    items.map(({ id }) => id),
    'recordDeletion',
  );
  await recordFeedbackChanges(tx, changes, userId, profileIds);
}

/** Feedback is in the mirrors of both its author and the profile's owner. */
async function recordFeedbackChanges(tx: Db, changes: ChangeLog, userId: number, profileIds: number[]): Promise<void> {
  const findFeedback = (which: SQL | undefined) =>
    tx
      .select({
        id: sectionRows.id,
        section: sectionRows.section,
        profileId: sectionRows.profileId,
        writerId: sectionRows.userId,
        ownerId: profiles.userId,
      })
      .from(sectionRows)
      .innerJoin(profiles, eq(profiles.id, sectionRows.profileId))
      .where(which);
  // Two queries, because PostgreSQL would use no index for a single query with OR.
  const onOthers = await findFeedback(and(eq(sectionRows.userId, userId), ne(profiles.userId, userId)));
  const byOthers = await findFeedback(and(inArray(sectionRows.profileId, profileIds), ne(sectionRows.userId, userId)));
  const recordFor = (otherId: number, { id, section, profileId }: (typeof onOthers)[number]) =>
    changes.recordDeletion(otherId, section, String(id), String(profileId));
  for (const row of onOthers) recordFor(row.ownerId, row);
  for (const row of byOthers) recordFor(row.writerId, row);
}

/** Keys of this person's files and of tapes that were sent to them. Photos that others sent them are removed with the conversations. */
async function getFileKeys(tx: Db, userId: number): Promise<string[]> {
  const own = tx.select({ key: storedFiles.key }).from(storedFiles).where(eq(storedFiles.userId, userId));
  const parts = tx
    .select({ key: uploadParts.key })
    .from(uploadParts)
    .innerJoin(uploads, eq(uploads.id, uploadParts.uploadId))
    .where(eq(uploads.userId, userId));
  const direct = tx.select({ key: directUploads.fileKey }).from(directUploads).where(eq(directUploads.userId, userId));
  const tapes = tx
    .select({ key: storedFiles.key })
    .from(storedFiles)
    .innerJoin(auditionRequests, eq(auditionRequests.id, storedFiles.requestId))
    .where(eq(auditionRequests.userId, userId));
  const keys: { key: string | null }[] = [...(await union(own, parts, tapes)), ...(await direct)];
  return keys.flatMap(({ key }) => key ?? []);
}

/**
 * Deletes a person from the database. Nobody sees them any more, and they cannot sign in. Jobs remove what may be too much for one
 * transaction: their messages, their sync feed and their files.
 * @throws 401 if the account has just been deleted
 */
export async function removePerson(tx: Db, changes: ChangeLog, userId: number, now: Date): Promise<void> {
  await lockUser(tx, userId);
  const own = await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.userId, userId));
  await recordChangesForOthers(
    tx,
    changes,
    userId,
    own.map(({ id }) => id),
  );
  await removeFilesLater(tx, await getFileKeys(tx, userId));
  await endAllSessions(tx, changes, userId);
  await dropMailsOf(tx, userId, now);
  await tx.delete(users).where(eq(users.id, userId));
  await tx.insert(erasures).values({ userId, erasedAt: now });
  await addJob(tx, ERASE_ACCOUNT, { user: userId });
}
