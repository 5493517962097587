import { eq, inArray, or } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import { connections, media, notifications, savedMedia, savedProfiles } from '#server/platform/db/schema.ts';

/**
 * Notes for everybody who has this profile in a list of theirs that it looks different now, or is there or gone: who saved
 * it or media of it, who is connected with its owner, and who was told of something they did. What they then get is decided when they pull.
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
  const ties = await db
    .select()
    .from(connections)
    .where(or(eq(connections.senderId, profile.userId), eq(connections.receiverId, profile.userId)));
  for (const { id, senderId, receiverId } of ties) {
    changes.recordChange(senderId === profile.userId ? receiverId : senderId, 'connection', String(id), null);
  }
  await recordForNotified(db, changes, profile.userId);
}

/** Notes for everybody who has saved one of these media that it looks different now, or is gone. */
export async function recordForSavers(
  db: Db,
  changes: ChangeLog,
  mediaIds: readonly number[],
  what: 'recordChange' | 'recordDeletion' = 'recordChange',
): Promise<void> {
  if (mediaIds.length === 0) return;
  const savers = await db
    .select()
    .from(savedMedia)
    .where(inArray(savedMedia.mediaId, [...mediaIds]));
  for (const { userId, mediaId } of savers) changes[what](userId, 'saved_media', String(mediaId), null);
}

/** Those who have something of this person's in their list see it differently now: another name or picture. */
async function recordForNotified(db: Db, changes: ChangeLog, actorId: number): Promise<void> {
  const rows = await db
    .select({ id: notifications.id, userId: notifications.userId })
    .from(notifications)
    .where(eq(notifications.actorId, actorId));
  for (const { id, userId } of rows) changes.recordChange(userId, 'notification', String(id), null);
}
