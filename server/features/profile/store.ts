import { and, asc, desc, eq, inArray, lt, ne, sql, type SQLWrapper } from 'drizzle-orm';
import { canViewDayRate, getVisitorSight } from '#contract/audience.ts';
import type { Profile, ProfileType } from '#contract/records/profile.ts';
import { isOfficeOfUser, officeColumns, presentOffice, type OfficeRow } from '#server/platform/access/offices.ts';
import type { ProfileRow } from '#server/platform/access/profiles.ts';
import {
  notBlocked,
  canViewProfile,
  getRelations,
  getRelation,
  type ViewerContext,
  type Relation,
} from '#server/platform/access/viewer-role.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { prepared } from '#server/platform/db/prepared.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import { offices, profiles, profileTypes, savedProfiles, users } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { storagePath } from '#server/platform/storage/storage.ts';

/** A profile row with its joined type and owner. */
export interface FullProfile {
  profile: ProfileRow;
  user: Pick<typeof users.$inferSelect, 'name' | 'slug' | 'isMinor' | 'privacy'>;
  type: { name: string; slug: string };
  /** Null if the owner is no verified office. */
  office: Pick<OfficeRow, 'name' | 'verifiedAt'> | null;
}

const full = {
  profile: profiles,
  user: { name: users.name, slug: users.slug, isMinor: users.isMinor, privacy: users.privacy },
  type: { name: profileTypes.name, slug: profileTypes.slug },
  office: officeColumns,
};

function select(db: Db) {
  return db
    .select(full)
    .from(profiles)
    .innerJoin(users, eq(users.id, profiles.userId))
    .innerJoin(profileTypes, eq(profileTypes.id, profiles.profileTypeId))
    .leftJoin(offices, isOfficeOfUser)
    .$dynamic();
}

/** Viewer-dependent facts of a profile record: the viewer's role, and whether they saved it or are connected. */
export interface ViewerFacts extends Relation {
  isSaved: boolean;
}
const OWN: ViewerFacts = { viewerRole: 'owner', connection: null, isSaved: false };

/** Presents a profile. Only its owner sees the date of birth. */
export function presentProfile({ profile, user, type, office }: FullProfile, sight: ViewerFacts = OWN): Profile {
  const { viewerRole, connection, isSaved } = sight;
  return {
    id: String(profile.id),
    user_id: String(profile.userId),
    user: { id: String(profile.userId), name: user.name },
    stage_name: profile.stageName,
    slug: user.slug,
    status: profile.status,
    ...(viewerRole === 'owner' && profile.withheld !== null && { is_withheld: true }),
    profile_type: { id: String(profile.profileTypeId), ...type },
    title: profile.title,
    location: profile.location,
    per_day: canViewDayRate(viewerRole, getVisitorSight(user)) ? profile.perDay : null,
    dob: viewerRole === 'owner' ? profile.dob : null,
    min_age_range: profile.minAge,
    max_age_range: profile.maxAge,
    profile_industry_id: profile.industryId === null ? null : String(profile.industryId),
    profile_photo: profile.photoKey === null ? null : storagePath(profile.photoKey),
    is_saved: isSaved ? 1 : 0,
    connection,
    verified: presentOffice(office),
    version: profile.version,
    updated_at: profile.updatedAt.toISOString(),
  };
}

/** Loads the viewer-dependent facts of these profiles, for `presentProfile`. */
async function getViewerFacts(
  db: Db,
  caller: ViewerContext,
  found: readonly FullProfile[],
): Promise<Map<number, ViewerFacts>> {
  const relations = await getRelations(
    db,
    caller,
    found.map(({ profile }) => profile.userId),
  );
  const foreign = found.filter(({ profile }) => profile.userId !== caller?.userId).map(({ profile }) => profile.id);
  const saved =
    caller === null || foreign.length === 0
      ? []
      : await db
          .select({ profileId: savedProfiles.profileId })
          .from(savedProfiles)
          .where(and(eq(savedProfiles.userId, caller.userId), inArray(savedProfiles.profileId, foreign)));
  const savedIds = new Set(saved.map(({ profileId }) => profileId));
  return new Map(
    found.map(({ profile }) => {
      const relation = relations.get(profile.userId) ?? { viewerRole: 'stranger', connection: null };
      return [profile.id, { ...relation, isSaved: savedIds.has(profile.id) }];
    }),
  );
}

/** Presents the profiles that the caller may see; omits the others. */
export async function presentProfilesFor(
  db: Db,
  caller: ViewerContext,
  found: readonly FullProfile[],
): Promise<Profile[]> {
  const sights = await getViewerFacts(db, caller, found);
  return found.flatMap((each) => {
    const sight = sights.get(each.profile.id);
    return sight && canViewProfile(sight.viewerRole, each.profile) ? [presentProfile(each, sight)] : [];
  });
}

/** Presents a profile to its owner, with About me, which shares its version. */
export function presentOwn(found: FullProfile): Profile & { description: string | null } {
  return { ...presentProfile(found), description: found.profile.description };
}

/** Presents a link to another profile of the same person. */
export const presentSibling = ({ profile, type }: FullProfile) => ({
  id: String(profile.id),
  title: profile.title,
  profile_type: { slug: type.slug },
});

/** Presents About me as a record of the mirror, with the profile's id and version. */
export function presentAboutMe({ profile }: FullProfile) {
  return {
    id: String(profile.id),
    profile_id: String(profile.id),
    description: profile.description,
    version: profile.version,
    updated_at: profile.updatedAt.toISOString(),
  };
}

const fullById = (db: Db) =>
  prepared(db, 'full profile', (name) =>
    select(db)
      .where(eq(profiles.id, sql.placeholder('id')))
      .prepare(name),
  );

export async function findProfile(db: Db, id: number): Promise<FullProfile | null> {
  const [found] = await fullById(db).execute({ id });
  return found ?? null;
}

/** Loads a profile that must exist. @throws if it does not */
export async function loadFullProfile(db: Db, id: number): Promise<FullProfile> {
  const found = await findProfile(db, id);
  if (found === null) throw new Error(`Profile ${id} was there a moment ago`);
  return found;
}

export async function loadFullProfiles(db: Db, ids: number[]): Promise<FullProfile[]> {
  return ids.length === 0 ? [] : select(db).where(inArray(profiles.id, ids));
}

export async function findProfileBySlugs(db: Db, userSlug: string, typeSlug: string): Promise<FullProfile | null> {
  const [found] = await select(db).where(and(eq(users.slug, userSlug), eq(profileTypes.slug, typeSlug)));
  return found ?? null;
}

/** Returns the caller's oldest profile, the default when a request names none. */
export async function getOldestProfileId(db: Db, userId: number): Promise<number | null> {
  const [found] = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(profiles.userId, userId))
    .orderBy(asc(profiles.createdAt), asc(profiles.id))
    .limit(1);
  return found?.id ?? null;
}

/** Lists a person's profiles, oldest first; only active ones of others. Null if the viewer may not see the person. */
export async function listProfilesOfUser(db: Db, userId: number, viewer: Caller | null): Promise<FullProfile[] | null> {
  const { viewerRole } = await getRelation(db, viewer, userId);
  if (viewerRole === 'blocked') return null;
  const visible: SQLWrapper[] = viewerRole === 'owner' ? [] : [profiles.isShown];
  const found = await select(db)
    .where(and(eq(profiles.userId, userId), ...visible))
    .orderBy(asc(profiles.createdAt), asc(profiles.id));
  if (found.length > 0) return found;
  const [person] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
  return person === undefined ? null : [];
}

/** Cursor of the list of all profiles, in which the caller's own come first. */
export interface ListPlace {
  own: boolean;
  id: number;
}

/** Lists one page: the caller's own profiles, then active ones of others, each newest first. */
export async function listProfiles(
  db: Db,
  userId: number,
  after: ListPlace | null,
  limit: number,
): Promise<FullProfile[]> {
  const before = (own: boolean) => (after !== null && after.own === own ? [lt(profiles.id, after.id)] : []);
  const mine =
    after === null || after.own
      ? await select(db)
          .where(and(eq(profiles.userId, userId), ...before(true)))
          .orderBy(desc(profiles.id))
          .limit(limit)
      : [];
  if (mine.length === limit) return mine;
  const others = await select(db)
    .where(and(ne(profiles.userId, userId), profiles.isShown, notBlocked(userId, profiles.userId), ...before(false)))
    .orderBy(desc(profiles.id))
    .limit(limit - mine.length);
  return [...mine, ...others];
}

export async function listProfileTypes(db: Db): Promise<ProfileType[]> {
  const rows = await db.select().from(profileTypes).orderBy(asc(profileTypes.id));
  return rows.map((row) => ({ id: String(row.id), name: row.name, slug: row.slug }));
}

/** Records a profile change in the sync feed, together with About me, which shares its version. */
export function recordProfileChange(changes: ChangeLog, profile: Pick<ProfileRow, 'id' | 'userId'>): void {
  changes.recordChange(profile.userId, 'profile', String(profile.id), null);
  changes.recordChange(profile.userId, 'about_me', String(profile.id), String(profile.id));
}
