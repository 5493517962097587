import { eq, sql } from 'drizzle-orm';
import type { ViewerRole } from '#contract/audience.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { prepared } from '#server/platform/db/prepared.ts';
import { profiles } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { forbidden, preconditionFailed, notFound, type HttpError } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import type { ExpectedVersion } from '#server/platform/http/if-match.ts';
import { getRelation, canViewProfile, type ViewerContext, type Relation } from './viewer-role.ts';

export type ProfileRow = typeof profiles.$inferSelect;
/** A profile with the caller's role towards its owner. */
export type VisibleProfile = ProfileRow & { viewerRole: ViewerRole };

const profileById = (db: Db) =>
  prepared(db, 'profile', (name) =>
    db
      .select()
      .from(profiles)
      .where(eq(profiles.id, sql.placeholder('id')))
      .prepare(name),
  );

const lockedProfileById = (db: Db) =>
  prepared(db, 'locked profile', (name) =>
    db
      .select()
      .from(profiles)
      .where(eq(profiles.id, sql.placeholder('id')))
      .for('no key update')
      .prepare(name),
  );

type ProfileOwnership = Pick<ProfileRow, 'isShown' | 'userId'>;

/**
 * The caller's relation to the owner of a profile that the caller can see: their own, or one that is shown and whose owner and the
 * caller have not blocked each other.
 * @throws 404 when they cannot see it
 */
export async function requireVisible(
  db: Db,
  profile: ProfileOwnership | undefined | null,
  caller: ViewerContext,
): Promise<Relation> {
  if (profile == null) throw notFound('profile');
  const relation = await getRelation(db, caller, profile.userId);
  if (!canViewProfile(relation.viewerRole, profile)) throw notFound('profile');
  return relation;
}

/** Loads a profile that the caller can see. @throws 404 */
export async function getVisibleProfile(db: Db, id: string, caller: ViewerContext): Promise<VisibleProfile> {
  const [profile] = await profileById(db).execute({ id: requireId(id, 'profile') });
  const { viewerRole } = await requireVisible(db, profile, caller);
  return { ...(profile as ProfileRow), viewerRole };
}

/**
 * The error for a write to a profile of somebody else: 403, or 404 when the caller cannot see it.
 * @param what in the user's words: 'profile', 'credit'
 * @param canView whether a viewer in this role sees the part of the profile that the write is about
 */
export async function getWriteRefusal(
  db: Db,
  profile: ProfileOwnership | undefined,
  caller: Caller,
  what: string,
  canView: (viewerRole: ViewerRole) => boolean = () => true,
): Promise<HttpError> {
  if (profile === undefined) return notFound(what);
  const { viewerRole } = await getRelation(db, caller, profile.userId);
  return canViewProfile(viewerRole, profile) && canView(viewerRole) ? forbidden() : notFound(what);
}

/**
 * The caller's own profile, for a write. `lock` locks its row until the commit, for writes that read it first.
 * @throws 404 when the caller cannot see it, 403 when it belongs to somebody else
 */
export async function getOwnProfile(
  db: Db,
  id: string,
  caller: Caller,
  lock: 'lock' | 'free' = 'free',
): Promise<ProfileRow> {
  const load = lock === 'lock' ? lockedProfileById : profileById;
  const [profile] = await load(db).execute({ id: requireId(id, 'profile') });
  if (profile?.userId === caller.userId) return profile;
  throw await getWriteRefusal(db, profile, caller, 'profile');
}

/** @param current returns the record as the caller sees it @throws 412 when the write expects another version */
export function requireVersion(expected: ExpectedVersion, version: number, current: () => unknown): void {
  if (expected !== 'any' && expected !== version) throw preconditionFailed(current());
}
