import { eq, or } from 'drizzle-orm';
import type { Db } from '#server/db/connect.ts';
import type { ChangeLog } from '#server/db/feed.ts';
import { connections, savedProfiles } from '#server/db/schema.ts';

/**
 * Notes for everybody who has this profile in a list of theirs that it looks different now, or is there or gone: who saved
 * it, and who is connected with its owner. What they then get is decided when they pull.
 */
export async function noteWatchers(db: Db, changes: ChangeLog, profile: { id: number; userId: number }): Promise<void> {
  const savers = await db
    .select({ userId: savedProfiles.userId })
    .from(savedProfiles)
    .where(eq(savedProfiles.profileId, profile.id));
  for (const { userId } of savers) changes.changed(userId, 'saved_profile', String(profile.id), null);
  const ties = await db
    .select()
    .from(connections)
    .where(or(eq(connections.senderId, profile.userId), eq(connections.receiverId, profile.userId)));
  for (const { id, senderId, receiverId } of ties) {
    changes.changed(senderId === profile.userId ? receiverId : senderId, 'connection', String(id), null);
  }
}
