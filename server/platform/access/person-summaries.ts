import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import type { ProfileType } from '#contract/records/profile.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { profiles, profileTypes, users } from '#server/platform/db/schema.ts';
import { storagePath } from '#server/platform/storage/storage.ts';

/** A person as lists and messages show them: from their oldest active profile, otherwise by name only. */
interface PersonSummary {
  name: string;
  title: string | null;
  address: string | null;
  profile_photo: string | null;
  slug: string | null;
  profile_type: ProfileType | null;
}

/** Summaries of these people, by user id. */
export async function getPersonSummaries(db: Db, userIds: readonly number[]): Promise<Map<number, PersonSummary>> {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return new Map();
  const people = await db
    .select({ id: users.id, name: users.name, slug: users.slug })
    .from(users)
    .where(inArray(users.id, ids));
  const shown = await db
    .selectDistinctOn([profiles.userId], { profile: profiles, type: profileTypes })
    .from(profiles)
    .innerJoin(profileTypes, eq(profileTypes.id, profiles.profileTypeId))
    .where(and(inArray(profiles.userId, ids), profiles.isShown))
    .orderBy(asc(profiles.userId), asc(profiles.createdAt), asc(profiles.id));
  const byPerson = new Map(shown.map((each) => [each.profile.userId, each]));
  return new Map(
    people.map(({ id, name, slug }) => {
      const found = byPerson.get(id);
      const photoKey = found?.profile.photoKey ?? null;
      const summary = {
        name,
        title: found?.profile.title ?? null,
        address: found?.profile.location ?? null,
        profile_photo: photoKey === null ? null : storagePath(photoKey),
        slug: found ? slug : null,
        profile_type: found ? { ...found.type, id: String(found.type.id) } : null,
      };
      return [id, summary];
    }),
  );
}

/** Ids of the industries of these people's active profiles, without duplicates, by user id. */
export async function getIndustries(db: Db, userIds: readonly number[]): Promise<Map<number, string[]>> {
  const ids = [...new Set(userIds)];
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectDistinct({ userId: profiles.userId, industryId: profiles.industryId })
    .from(profiles)
    .where(and(inArray(profiles.userId, ids), profiles.isShown, isNotNull(profiles.industryId)))
    .orderBy(asc(profiles.userId), asc(profiles.industryId));
  const found = new Map<number, string[]>();
  for (const { userId, industryId } of rows) found.set(userId, [...(found.get(userId) ?? []), String(industryId)]);
  return found;
}
