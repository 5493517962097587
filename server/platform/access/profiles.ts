import { eq, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { prepared } from '#server/platform/db/prepared.ts';
import { profiles } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { forbidden, preconditionFailed, notFound, type HttpError } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import type { ExpectedVersion } from '#server/platform/http/if-match.ts';
import { getRelation, canViewProfile, type ViewerContext, type Relation, type ViewerRole } from './viewer-role.ts';

export type ProfileRow = typeof profiles.$inferSelect;
/** A profile with who the caller is to its owner. */
export type VisibleProfile = ProfileRow & { viewerRole: ViewerRole };

const profileById = (db: Db) =>
  prepared(db, 'profile', (name) =>
    db
      .select()
      .from(profiles)
      .where(eq(profiles.id, sql.placeholder('id')))
      .prepare(name),
  );

type Whose = Pick<ProfileRow, 'status' | 'userId'>;

/**
 * How this caller stands to the owner of a profile they may know of: an active one of somebody they have not blocked and
 * who has not blocked them, or their own.
 * @throws 404
 */
export async function requireVisible(
  db: Db,
  profile: Whose | undefined | null,
  caller: ViewerContext,
): Promise<Relation> {
  if (profile == null) throw notFound('profile');
  const relation = await getRelation(db, caller, profile.userId);
  if (!canViewProfile(relation.viewerRole, profile.status)) throw notFound('profile');
  return relation;
}

/** A profile this caller may know of, and who they are to its owner. @throws 404 */
export async function getVisibleProfile(db: Db, id: string, caller: ViewerContext): Promise<VisibleProfile> {
  const [profile] = await profileById(db).execute({ id: requireId(id, 'profile') });
  const { viewerRole } = await requireVisible(db, profile, caller);
  return { ...(profile as ProfileRow), viewerRole };
}

/**
 * How a write to what belongs to somebody else's profile is refused: 403, or 404 where the caller may not know of it.
 * @param what as a performer says it: 'profile', 'credit'
 * @param isKnown whether those who see the profile see this part of it
 */
export async function getWriteRefusal(
  db: Db,
  profile: Whose | undefined,
  caller: Caller,
  what: string,
  isKnown: (viewerRole: ViewerRole) => boolean = () => true,
): Promise<HttpError> {
  if (profile === undefined) return notFound(what);
  const { viewerRole } = await getRelation(db, caller, profile.userId);
  return canViewProfile(viewerRole, profile.status) && isKnown(viewerRole) ? forbidden() : notFound(what);
}

/**
 * The caller's own profile, for a write. `lock` holds its row until the commit, for writes that read it first.
 * @throws 404 where the caller may not know of it, 403 where it is another's
 */
export async function getOwnProfile(
  db: Db,
  id: string,
  caller: Caller,
  lock: 'lock' | 'free' = 'free',
): Promise<ProfileRow> {
  const query = db
    .select()
    .from(profiles)
    .where(eq(profiles.id, requireId(id, 'profile')));
  const [profile] = await (lock === 'lock' ? query.for('no key update') : query);
  if (profile?.userId === caller.userId) return profile;
  throw await getWriteRefusal(db, profile, caller, 'profile');
}

/** @param current the record as the caller may see it @throws 412 when the write was meant for another version */
export function requireVersion(expected: ExpectedVersion, version: number, current: () => unknown): void {
  if (expected !== 'any' && expected !== version) throw preconditionFailed(current());
}
