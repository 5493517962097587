import { eq, sql } from 'drizzle-orm';
import type { Db } from '#server/db/connect.ts';
import { prepared } from '#server/db/prepared.ts';
import { profiles } from '#server/db/schema.ts';
import type { Caller } from '#server/http/caller.ts';
import { forbidden, movedOn, notFound } from '#server/http/errors.ts';
import { requireId } from '#server/http/ids.ts';
import type { Expected } from '#server/http/if-match.ts';

export type ProfileRow = typeof profiles.$inferSelect;

const profileById = (db: Db) =>
  prepared(db, 'profile', (name) =>
    db
      .select()
      .from(profiles)
      .where(eq(profiles.id, sql.placeholder('id')))
      .prepare(name),
  );

/** @throws 404 where this caller may not know of the profile: active ones are everybody's to see, others their owner's */
export function requireVisible<T extends Pick<ProfileRow, 'status' | 'userId'>>(
  profile: T | undefined,
  caller: Caller | null,
): asserts profile is T {
  if (profile === undefined || (profile.status !== 'active' && profile.userId !== caller?.userId)) {
    throw notFound('profile');
  }
}

/** A profile this caller may know of: an active one, or their own. @throws 404 */
export async function visibleProfile(db: Db, id: string, caller: Caller | null): Promise<ProfileRow> {
  const [profile] = await profileById(db).execute({ id: requireId(id, 'profile') });
  requireVisible(profile, caller);
  return profile;
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
  if (profile === undefined) throw notFound('profile');
  if (profile.userId === caller.userId) return profile;
  throw profile.status === 'active' ? forbidden() : notFound('profile');
}

/** @param current the record as the caller may see it @throws 412 when the write was meant for another version */
export function requireVersion(expected: Expected, version: number, current: () => unknown): void {
  if (expected !== 'any' && expected !== version) throw movedOn(current());
}
