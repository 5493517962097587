import { eq, inArray, or } from 'drizzle-orm';
import { listCandidateReaders } from './shortlist-readers.ts';
import { listMemberReaders, lockColleaguesOfRequest } from './projects.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import {
  auditionRequests,
  castingCandidates,
  castingRoles,
  castingMembers,
  castingProjects,
  connections,
  media,
  notifications,
  profiles,
  savedMedia,
  savedProfiles,
} from '#server/platform/db/schema.ts';

/**
 * Records a change for everybody whose mirror shows this profile: people who saved it or media of it, connections of its owner, and
 * people with a notification about its owner. What each of them may see is decided when they pull.
 */
export async function recordForWatchers(
  db: Db,
  changes: ChangeLog,
  profile: { id: number; userId: number },
): Promise<void> {
  const savers = await db
    .select({ userId: savedProfiles.userId })
    .from(savedProfiles)
    .where(eq(savedProfiles.profileId, profile.id));
  for (const { userId } of savers) changes.recordChange(userId, 'saved_profile', String(profile.id), null);
  const items = await db.select({ id: media.id }).from(media).where(eq(media.profileId, profile.id));
  await recordForSavers(
    db,
    changes,
    items.map(({ id }) => id),
  );
  await recordForConnections(db, changes, profile.userId);
}

/**
 * Records a change for everybody whose lists name this person: connections, people with a request to audition or a notification, and whoever
 * has them on a shortlist.
 */
export async function recordForConnections(db: Db, changes: ChangeLog, userId: number): Promise<void> {
  const connected = await db
    .select()
    .from(connections)
    .where(or(eq(connections.senderId, userId), eq(connections.receiverId, userId)));
  for (const { id, senderId, receiverId } of connected) {
    changes.recordChange(senderId === userId ? receiverId : senderId, 'connection', String(id), null);
  }
  await recordForAuditions(db, changes, userId);
  await recordForShortlists(db, changes, userId);
  await recordForColleagues(db, changes, userId);
  await recordForNotified(db, changes, userId);
}

/** Records a change for everybody who reads this person's name in a request to audition: whom they asked, and who asked them. */
async function recordForAuditions(db: Db, changes: ChangeLog, personId: number): Promise<void> {
  const { id, userId, performerId, roleId } = auditionRequests;
  const rows = await db
    .select({ id, userId, performerId, roleId })
    .from(auditionRequests)
    .where(or(eq(userId, personId), eq(performerId, personId)));
  for (const row of rows) {
    if (row.performerId === personId) {
      for (const reader of [row.userId, ...(await lockColleaguesOfRequest(db, row))]) {
        changes.recordChange(reader, 'request', String(row.id), String(row.roleId));
      }
    } else if (row.performerId !== null) changes.recordChange(row.performerId, 'audition', String(row.id), null);
  }
}

/** Records a change for everybody who reads this person's name in a project: colleagues and people who are invited read that of the owner, too. */
async function recordForColleagues(db: Db, changes: ChangeLog, personId: number): Promise<void> {
  const rows = await db
    .select({ member: castingMembers, ownerId: castingProjects.userId })
    .from(castingMembers)
    .innerJoin(castingProjects, eq(castingProjects.id, castingMembers.projectId))
    .where(or(eq(castingMembers.userId, personId), eq(castingProjects.userId, personId)));
  for (const { member, ownerId } of rows) {
    for (const reader of await listMemberReaders(db, member, ownerId)) {
      changes.recordChange(reader, 'project_member', String(member.id), String(member.projectId));
    }
  }
}

/** Records a change for everybody on whose shortlists this person is. */
async function recordForShortlists(db: Db, changes: ChangeLog, personId: number): Promise<void> {
  const rows = await db
    .select({ id: castingCandidates.id, roleId: castingCandidates.roleId, ownerId: castingRoles.userId })
    .from(castingCandidates)
    .innerJoin(castingRoles, eq(castingRoles.id, castingCandidates.roleId))
    .innerJoin(profiles, eq(profiles.id, castingCandidates.profileId))
    .where(eq(profiles.userId, personId));
  for (const { id, roleId, ownerId } of rows) {
    for (const reader of await listCandidateReaders(db, { roleId, ownerId, performerId: personId })) {
      changes.recordChange(reader, 'candidate', String(id), String(roleId));
    }
  }
}

/** Records a change, or a deletion, for everybody who saved one of these media. */
export async function recordForSavers(
  db: Db,
  changes: ChangeLog,
  mediaIds: readonly number[],
  method: 'recordChange' | 'recordDeletion' = 'recordChange',
): Promise<void> {
  if (mediaIds.length === 0) return;
  const savers = await db
    .select()
    .from(savedMedia)
    .where(inArray(savedMedia.mediaId, [...mediaIds]));
  for (const { userId, mediaId } of savers) changes[method](userId, 'saved_media', String(mediaId), null);
}

/** Records a change for everybody with a notification about this person, which shows their name and picture. */
async function recordForNotified(db: Db, changes: ChangeLog, actorId: number): Promise<void> {
  const rows = await db
    .select({ id: notifications.id, userId: notifications.userId })
    .from(notifications)
    .where(eq(notifications.actorId, actorId));
  for (const { id, userId } of rows) changes.recordChange(userId, 'notification', String(id), null);
}
