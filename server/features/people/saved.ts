import { and, eq, inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { savedAnswer } from '#contract/records/people.ts';
import { visibleProfile } from '#server/access/profiles.ts';
import type { Db } from '#server/db/connect.ts';
import { profiles, savedProfiles } from '#server/db/schema.ts';
import { fullProfiles, presentFor } from '#server/features/profile/store.ts';
import { ok } from '#server/http/answer.ts';
import type { Caller } from '#server/http/caller.ts';
import { refused } from '#server/http/errors.ts';
import { requireId } from '#server/http/ids.ts';
import { account, writeRoute, type GuardInput } from '#server/http/route.ts';

const byProfile = z.object({ profileId: z.string() });

/** Somebody else's profile that the caller sees, kept as it is until the commit, so that its savers are known when it changes. */
async function seenByCaller({ db, caller, params }: GuardInput<Caller, { profileId: string }>): Promise<number> {
  const id = params.profileId;
  await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(profiles.id, requireId(id, 'profile')))
    .for('share');
  const profile = await visibleProfile(db, id, caller);
  if (profile.userId === caller.userId) throw refused('This profile is your own');
  return profile.id;
}

/** What a list of saved profiles shows of each. The feed knows them by the profile's id. */
async function savedRecords(db: Db, userId: number, profileIds: number[]) {
  const rows = await db
    .select()
    .from(savedProfiles)
    .where(and(eq(savedProfiles.userId, userId), inArray(savedProfiles.profileId, profileIds)));
  const savedAt = new Map(rows.map((row) => [String(row.profileId), row.createdAt.toISOString()]));
  const found = await fullProfiles(
    db,
    rows.map((row) => row.profileId),
  );
  const seen = await presentFor(db, { userId }, found);
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

/** Profiles people keep for later. Those that are inactive now, or blocked, wait unseen. */
export function savedRoutes(app: FastifyInstance): void {
  app.mirror.set('saved_profile', async (db, ids, userId) => savedRecords(db, userId, ids.map(Number)));

  writeRoute(app, {
    endpoint: CALLS.saveProfile,
    summary: "Keeps somebody's profile for later",
    access: account(seenByCaller),
    params: byProfile,
    answers: { 200: savedAnswer },
    handler: async ({ caller, subject: profileId, db, now, changes }) => {
      const added = await db
        .insert(savedProfiles)
        .values({ userId: caller.userId, profileId, createdAt: now })
        .onConflictDoNothing()
        .returning();
      if (added.length > 0) changes.changed(caller.userId, 'saved_profile', String(profileId), null);
      return ok({ message: 'Profile saved', is_saved: 1 });
    },
  });

  writeRoute(app, {
    endpoint: CALLS.unsaveProfile,
    summary: 'Lets a saved profile go',
    access: account(),
    params: byProfile,
    answers: { 200: savedAnswer },
    handler: async ({ caller, params, db, changes }) => {
      const profileId = requireId(params.profileId, 'profile');
      const gone = await db
        .delete(savedProfiles)
        .where(and(eq(savedProfiles.userId, caller.userId), eq(savedProfiles.profileId, profileId)))
        .returning();
      // One that waits unseen may be let go all the same; of others only who sees them hears that they were not saved.
      if (gone.length > 0) changes.deleted(caller.userId, 'saved_profile', String(profileId), null);
      else await visibleProfile(db, params.profileId, caller);
      return ok({ message: 'Profile no longer saved', is_saved: 0 });
    },
  });
}
