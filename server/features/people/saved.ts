import { and, eq, inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { CALLS } from '#contract/calls.ts';
import { canBeWrittenBy } from '#server/platform/access/minors.ts';
import { getVisibleProfile } from '#server/platform/access/profiles.ts';
import { getRelation } from '#server/platform/access/viewer-role.ts';
import { mayReach } from '#server/platform/access/withholding.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { profiles, savedProfiles } from '#server/platform/db/schema.ts';
import { loadFullProfiles, presentProfilesFor } from '#server/features/profile/store.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { unprocessable } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { deleteNotifications, notify } from '../notifications/store.ts';
import { registerSaveRoutes } from '#server/platform/http/save-routes.ts';

/** Locks another person's profile that the caller may see. @throws 404 */
async function lockVisibleProfile(db: Db, id: string, caller: Caller): Promise<number> {
  await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(profiles.id, requireId(id, 'profile')))
    .for('share');
  const profile = await getVisibleProfile(db, id, caller);
  if (profile.userId === caller.userId) throw unprocessable('This is your own profile');
  return profile.id;
}

/** Presents saved profiles for lists. The sync feed identifies them by profile id. */
async function presentSavedProfiles(db: Db, userId: number, profileIds: number[]) {
  const rows = await db
    .select()
    .from(savedProfiles)
    .where(and(eq(savedProfiles.userId, userId), inArray(savedProfiles.profileId, profileIds)));
  const savedAt = new Map(rows.map((row) => [String(row.profileId), row.createdAt.toISOString()]));
  const found = await loadFullProfiles(
    db,
    rows.map((row) => row.profileId),
  );
  const seen = await presentProfilesFor(db, { userId }, found);
  return seen.map(({ id, title, stage_name, location, profile_type, profile_photo, slug }) => ({
    id,
    profile_id: id,
    title,
    stage_name,
    location,
    profile_type,
    profile_photo,
    slug,
    saved_at: savedAt.get(id),
  }));
}

/**
 * Whether the owner of a profile hears who saved it. Everybody may save whatever they see, also somebody who may not reach the owner; and the
 * alerts are no way to show one's name to everybody.
 */
async function isOwnerTold({ deps }: FastifyInstance, db: Db, caller: Caller, ownerId: number): Promise<boolean> {
  const { viewerRole } = await getRelation(db, caller, ownerId);
  if (!(await mayReach(db, caller)) || !(await canBeWrittenBy(db, ownerId, viewerRole))) return false;
  return deps.sharedLimiter.countIfLeft(LIMIT.savesTold, String(caller.userId));
}

/** Saved profiles. Inactive and blocked ones stay saved but hidden. */
export function savedRoutes(app: FastifyInstance): void {
  app.mirror.set('saved_profile', async (db, ids, userId) => presentSavedProfiles(db, userId, ids.map(Number)));

  registerSaveRoutes(app, {
    type: 'saved_profile',
    noun: 'profile',
    save: CALLS.saveProfile,
    unsave: CALLS.unsaveProfile,
    param: 'profileId',
    lockVisible: lockVisibleProfile,
    requireVisible: getVisibleProfile,
    add: async (db, userId, profileId, createdAt) =>
      (await db.insert(savedProfiles).values({ userId, profileId, createdAt }).onConflictDoNothing().returning())
        .length > 0,
    remove: async (db, userId, profileId) =>
      (
        await db
          .delete(savedProfiles)
          .where(and(eq(savedProfiles.userId, userId), eq(savedProfiles.profileId, profileId)))
          .returning()
      ).length > 0,
    onChange: async (db, changes, { caller, id, isSaved, now }) => {
      const actorId = caller.userId;
      if (!isSaved) {
        await deleteNotifications(db, changes, { type: 'profile.saved', subjectId: id, actorId });
        return;
      }
      const [owner] = await db.select({ userId: profiles.userId }).from(profiles).where(eq(profiles.id, id));
      if (owner === undefined) throw new Error('The profile is gone');
      if (!(await isOwnerTold(app, db, caller, owner.userId))) return;
      const notification = { userId: owner.userId, actorId, subjectId: id, data: { profile_id: String(id) } };
      await notify(db, changes, { ...notification, type: 'profile.saved' }, now);
    },
  });
}
