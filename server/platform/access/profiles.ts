import { eq, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { prepared } from '#server/platform/db/prepared.ts';
import { profiles } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { forbidden, movedOn, notFound, type HttpError } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import type { Expected } from '#server/platform/http/if-match.ts';
import { relationTo, seesProfile, type Eyes, type Relation, type Standing } from './standing.ts';

export type ProfileRow = typeof profiles.$inferSelect;
/** A profile with who the caller is to its owner. */
export type SeenProfile = ProfileRow & { standing: Standing };

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
export async function requireVisible(db: Db, profile: Whose | undefined | null, caller: Eyes): Promise<Relation> {
  if (profile == null) throw notFound('profile');
  const relation = await relationTo(db, caller, profile.userId);
  if (!seesProfile(relation.standing, profile.status)) throw notFound('profile');
  return relation;
}

/** A profile this caller may know of, and who they are to its owner. @throws 404 */
export async function visibleProfile(db: Db, id: string, caller: Eyes): Promise<SeenProfile> {
  const [profile] = await profileById(db).execute({ id: requireId(id, 'profile') });
  const { standing } = await requireVisible(db, profile, caller);
  return { ...(profile as ProfileRow), standing };
}

/**
 * How a write to what belongs to somebody else's profile is refused: 403, or 404 where the caller may not know of it.
 * @param what as a performer says it: 'profile', 'credit'
 * @param isKnown whether those who see the profile see this part of it
 */
export async function refusalOf(
  db: Db,
  profile: Whose | undefined,
  caller: Caller,
  what: string,
  isKnown: (standing: Standing) => boolean = () => true,
): Promise<HttpError> {
  if (profile === undefined) return notFound(what);
  const { standing } = await relationTo(db, caller, profile.userId);
  return seesProfile(standing, profile.status) && isKnown(standing) ? forbidden() : notFound(what);
}

/**
 * The caller's own profile, for a write. `lock` holds its row until the commit, for writes that read it first.
 * @throws 404 where the caller may not know of it, 403 where it is another's
 */
export async function ownProfile(
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
  throw await refusalOf(db, profile, caller, 'profile');
}

/** @param current the record as the caller may see it @throws 412 when the write was meant for another version */
export function requireVersion(expected: Expected, version: number, current: () => unknown): void {
  if (expected !== 'any' && expected !== version) throw movedOn(current());
}
