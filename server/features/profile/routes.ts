import { and, eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import {
  createProfileBody,
  profileRecord,
  profileType,
  updateProfileBody,
  type Profile,
} from '#contract/records/profile.ts';
import { siblingProfile } from '#contract/records/page.ts';
import { getOwnProfile, requireVersion, type ProfileRow } from '#server/platform/access/profiles.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { profiles, profileTypes } from '#server/platform/db/schema.ts';
import { isIndustry } from '#server/features/lookups/store.ts';
import { recordForWatchers } from '#server/platform/access/watchers.ts';
import { findYouth } from '#server/platform/access/minors.ts';
import { lockWithholding, protect } from '#server/platform/access/withholding.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { parseId, requireId } from '#server/platform/http/ids.ts';
import { requireAllowedName } from '#server/platform/http/display-names.ts';
import { pageQuery, decodeCursor, encodeCursor } from '#server/platform/http/paging.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import {
  requiredAccount,
  readRoute,
  optionalAccount,
  writeRoute,
  type GuardInput,
} from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import {
  findProfile,
  loadFullProfile,
  loadFullProfiles,
  listProfiles,
  listProfileTypes,
  recordProfileChange,
  getOldestProfileId,
  presentSibling,
  presentProfilesFor,
  presentAboutMe,
  presentOwn,
  presentProfile,
  findProfileBySlugs,
  listProfilesOfUser,
  type FullProfile,
} from './store.ts';

const presentOwnRecord = z.extend(profileRecord, { description: z.nullable(z.string()) });
const place = z.object({ own: z.boolean(), id: z.int() });

function createRoute(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: CALLS.createProfile,
    summary: 'Makes a profile; a person may hold one of each type',
    access: requiredAccount(),
    body: createProfileBody,
    responses: { 200: withRecord(profileRecord), 201: withRecord(profileRecord) },
    handler: async ({ body, caller, db, now, changes }) => {
      requireAllowedName(body.stage_name, 'stage_name');
      const typeId = parseId(body.profile_type_id);
      const [type] = typeId === null ? [] : await db.select().from(profileTypes).where(eq(profileTypes.id, typeId));
      if (type === undefined) throw invalid({ profile_type_id: ['Choose one from the list'] });
      const industryId = await parseIndustry(db, body.profile_industry_id);
      const [added] = await db
        .insert(profiles)
        .values({
          userId: caller.userId,
          profileTypeId: type.id,
          status: 'active',
          withheld: await lockWithholding(db, caller.userId),
          stageName: body.stage_name,
          title: body.title ?? null,
          location: body.location ?? null,
          industryId: industryId ?? null,
          clientId: body.client_id ?? null,
          createdAt: now,
          updatedAt: now,
        })
        .onConflictDoNothing()
        .returning();
      if (added) {
        recordProfileChange(changes, added);
        await recordForWatchers(db, changes, added);
        return created({ message: 'Profile created', data: presentProfile(await loadFullProfile(db, added.id)) });
      }
      const [same] = body.client_id
        ? await db
            .select({ id: profiles.id })
            .from(profiles)
            .where(and(eq(profiles.userId, caller.userId), eq(profiles.clientId, body.client_id)))
        : [];
      if (same === undefined) throw invalid({ profile_type_id: ['You already have a profile of this type'] });
      return ok({ message: 'Profile created', data: presentProfile(await loadFullProfile(db, same.id)) });
    },
  });
}

/** Parses an industry id. Undefined keeps the value, null clears it. @throws 422 if the industry does not exist */
async function parseIndustry(db: Db, id: string | null | undefined): Promise<number | null | undefined> {
  if (id == null) return id;
  const industryId = parseId(id);
  if (!(await isIndustry(db, industryId))) throw invalid({ profile_industry_id: ['Choose one from the list'] });
  return industryId;
}

type Update = z.output<typeof updateProfileBody>;

/** Fields of a profile that other people's lists show. */
const SHOWN_IN_LISTS = ['status', 'stage_name', 'title', 'location', 'profile_industry_id'] as const;

function fieldsOf(body: Update, industryId: number | null | undefined): Partial<ProfileRow> {
  const fields = {
    industryId,
    stageName: body.stage_name,
    title: body.title,
    location: body.location,
    perDay: body.per_day,
    dob: body.dob,
    minAge: body.min_age_range,
    maxAge: body.max_age_range,
    description: body.description,
    status: body.status,
  };
  // Undefined keeps the value, null clears it.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Validates the age range of the merged row, because an update may omit either end. */
function checkAges(before: ProfileRow, body: Update): void {
  const low = body.min_age_range === undefined ? before.minAge : body.min_age_range;
  const high = body.max_age_range === undefined ? before.maxAge : body.max_age_range;
  if (low === null || high === null || low <= high) return;
  const field = body.min_age_range === undefined ? 'max_age_range' : 'min_age_range';
  throw invalid({ [field]: ['The youngest age must not be above the oldest'] });
}

function updateRoute(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: CALLS.updateProfile,
    summary: 'Changes a profile, its status or its about me; what is left out stays',
    access: requiredAccount(),
    body: updateProfileBody,
    responses: { 200: withRecord(presentOwnRecord) },
    handler: async ({ body, caller, db, now, changes, expected }) => {
      const id = body.profile_id ?? (await getOldestProfileId(db, caller.userId));
      if (id === null) throw notFound('profile');
      const before = await getOwnProfile(db, String(id), caller, 'lock');
      const current = await loadFullProfile(db, before.id);
      requireVersion(expected, before.version, () => presentOwn(current));
      checkAges(before, body);
      if (body.stage_name !== before.stageName) requireAllowedName(body.stage_name, 'stage_name');
      const industryId = await parseIndustry(db, body.profile_industry_id);
      const isOpened = body.status === 'active' && before.status !== 'active';
      const withheld = isOpened ? { withheld: await lockWithholding(db, caller.userId, before.id) } : {};
      const [after] = await db
        .update(profiles)
        .set({ ...fieldsOf(body, industryId), ...withheld, version: sql`${profiles.version} + 1`, updatedAt: now })
        .where(eq(profiles.id, before.id))
        .returning();
      const youth = body.dob ? await findYouth(db, caller.userId, now) : null;
      if (youth !== null) await protect(db, changes, caller.userId, youth);
      recordProfileChange(changes, before);
      if (SHOWN_IN_LISTS.some((field) => body[field] !== undefined)) await recordForWatchers(db, changes, before);
      return ok({ message: 'Profile updated', data: presentOwn({ ...current, profile: after ?? before }) });
    },
  });
}

/** Returns the record as the caller sees it. @throws 404 if the caller may not see it */
async function seen(db: Db, caller: Caller | null, found: FullProfile | null): Promise<Profile> {
  const [record] = await presentProfilesFor(db, caller, found === null ? [] : [found]);
  if (record === undefined) throw notFound('profile');
  return record;
}

/** Profiles: the caller's own, shown ones of other people, and the public view for visitors without a token. */
export function profileRoutes(app: FastifyInstance): void {
  createRoute(app);
  updateRoute(app);
  app.mirror.set('profile', async (db, ids) =>
    (await loadFullProfiles(db, ids.map(Number))).map((found) => presentProfile(found)),
  );
  app.mirror.set('about_me', async (db, ids) => (await loadFullProfiles(db, ids.map(Number))).map(presentAboutMe));

  readRoute(app, {
    endpoint: CALLS.profileTypes,
    summary: 'Kinds of profile',
    access: optionalAccount(),
    responses: { 200: z.array(profileType) },
    handler: async ({ db }) => ok(await listProfileTypes(db)),
  });

  readRoute(app, {
    endpoint: CALLS.profile,
    summary: 'One profile',
    access: optionalAccount(async ({ db, caller, params }: GuardInput<Caller | null, { id: string }>) =>
      seen(db, caller, await findProfile(db, requireId(params.id, 'profile'))),
    ),
    params: z.object({ id: z.string() }),
    responses: { 200: profileRecord },
    handler: async ({ subject }) => ok(subject),
  });

  readRoute(app, {
    endpoint: CALLS.profiles,
    summary: 'The caller’s own profiles, then other active ones; paged',
    access: requiredAccount(),
    query: pageQuery,
    responses: { 200: z.array(profileRecord) },
    handler: async ({ caller, db, request, query }) => {
      const after = await decodeCursor(place, query.cursor, { db, request });
      const page = await listProfiles(db, caller.userId, after, query.limit);
      const last = page.length === query.limit ? page.at(-1) : undefined;
      const next = last && { own: last.profile.userId === caller.userId, id: last.profile.id };
      const profiles = await presentProfilesFor(db, caller, page);
      return ok(profiles, next && { 'x-next-cursor': await encodeCursor({ db, request }, next) });
    },
  });

  readRoute(app, {
    endpoint: CALLS.profilesOfUser,
    summary: "A person's profiles, to switch between",
    access: optionalAccount(),
    params: z.object({ userId: z.string() }),
    responses: {
      200: z.array(siblingProfile),
    },
    handler: async ({ caller, db, params }) => {
      const found = await listProfilesOfUser(db, requireId(params.userId, 'person'), caller);
      if (found === null) throw notFound('person');
      return ok(found.map(presentSibling));
    },
  });

  readRoute(app, {
    endpoint: CALLS.profileBySlug,
    summary: 'One profile by its public address',
    access: optionalAccount(),
    params: z.object({ userSlug: z.string(), typeSlug: z.string() }),
    responses: { 200: profileRecord },
    handler: async ({ caller, db, params }) => {
      const found = await findProfileBySlugs(db, params.userSlug, params.typeSlug);
      return ok(await seen(db, caller, found));
    },
  });
}
