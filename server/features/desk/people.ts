import { and, count, eq, ne } from 'drizzle-orm';
import type { DeskPerson } from '#contract/records/desk.ts';
import { findOfficeOf, getLookalikes } from '#server/platform/access/offices.ts';
import { getPersonSummaries } from '#server/platform/access/person-summaries.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { connections, reports, users } from '#server/platform/db/schema.ts';

/** How many other people could decide at the desk. */
export const countOthersAtDesk = (db: Db, userId: number): Promise<number> =>
  db.$count(users, and(ne(users.role, 'person'), eq(users.state, 'active'), ne(users.id, userId)));

/** A person as the desk sees them; null if the account is gone. */
export async function findDeskPerson(db: Db, userId: number): Promise<DeskPerson | null> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (user === undefined) return null;
  const summary = (await getPersonSummaries(db, [userId])).get(userId);
  const [sent] = await db.select({ count: count() }).from(connections).where(eq(connections.senderId, userId));
  const [about] = await db.select({ count: count() }).from(reports).where(eq(reports.reportedId, userId));
  const office = await findOfficeOf(db, userId);
  const lookalikes = await getLookalikes(db, [userId]);
  return {
    id: String(user.id),
    name: user.name,
    title: summary?.title ?? null,
    profile_photo: summary?.profile_photo ?? null,
    slug: summary?.slug ?? null,
    profile_type_slug: summary?.profile_type?.slug ?? null,
    joined_at: user.createdAt.toISOString(),
    email_verified: user.emailVerifiedAt !== null,
    role: user.role,
    state: user.state,
    requests_sent: sent?.count ?? 0,
    reports: about?.count ?? 0,
    office: office && {
      id: String(office.id),
      name: office.name,
      domain: office.domain,
      since: office.verifiedAt.toISOString(),
    },
    looks_like: lookalikes.get(userId) ?? [],
  };
}
