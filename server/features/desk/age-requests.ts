import { and, asc, count, eq, gt, inArray } from 'drizzle-orm';
import type { DeskAgeRequest } from '#contract/records/desk.ts';
import { isMinorBy } from '#server/platform/access/minors.ts';
import { getPersonSummaries } from '#server/platform/access/person-summaries.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { ageRequests, guardians, users } from '#server/platform/db/schema.ts';

const isOpen = eq(ageRequests.state, 'open');

/** How many requests to correct a date of birth wait. */
export const countAgeRequests = (db: Db): Promise<number> => db.$count(ageRequests, isOpen);

/** Requests to correct a date of birth that wait, oldest first. @param after number of the request after which the list goes on */
export async function listAgeRequests(
  db: Db,
  after: number | null,
  limit: number,
  now: Date,
): Promise<DeskAgeRequest[]> {
  const rows = await db
    .select({ request: ageRequests, name: users.name, guardian: guardians.state })
    .from(ageRequests)
    .innerJoin(users, eq(users.id, ageRequests.userId))
    .leftJoin(guardians, eq(guardians.userId, ageRequests.userId))
    .where(and(isOpen, after === null ? undefined : gt(ageRequests.id, after)))
    .orderBy(asc(ageRequests.id))
    .limit(limit);
  if (rows.length === 0) return [];
  const userIds = rows.map(({ request }) => request.userId);
  const people = await getPersonSummaries(db, userIds);
  const declined = await db
    .select({ userId: ageRequests.userId, count: count() })
    .from(ageRequests)
    .where(and(inArray(ageRequests.userId, userIds), eq(ageRequests.state, 'declined')))
    .groupBy(ageRequests.userId);
  const declinedOf = new Map(declined.map(({ userId, count: total }) => [userId, total]));
  return rows.map(({ request, name, guardian }) => {
    const summary = people.get(request.userId);
    return {
      id: String(request.id),
      person: {
        id: String(request.userId),
        name,
        profile_photo: summary?.profile_photo ?? null,
        slug: summary?.slug ?? null,
        profile_type_slug: summary?.profile_type?.slug ?? null,
      },
      born_on: request.bornOn,
      wanted: request.wanted,
      makes_adult: !isMinorBy(request.wanted, now),
      reason: request.reason,
      asked_at: request.askedAt.toISOString(),
      guardian,
      declined_before: declinedOf.get(request.userId) ?? 0,
    };
  });
}
