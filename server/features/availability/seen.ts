import { and, eq, isNull } from 'drizzle-orm';
import { isAnsweredFinally, isDeclined } from '#contract/casting/state.ts';
import { getCurrent } from '#contract/casting/availability.ts';
import type { AvailabilityAudience, SeenDay } from '#contract/records/availability.ts';
import type { VisibleProfile } from '#server/platform/access/profiles.ts';
import { readsRequest } from '#server/platform/access/projects.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, castingRoles, users } from '#server/platform/db/schema.ts';
import { listDaysOf, presentDay } from './store.ts';

/** Whether somebody, or a project in which they are a colleague, asks a performer to audition at present: the role is open, and neither side has said the last word. */
async function isAsking(db: Db, userId: number, performerId: number): Promise<boolean> {
  const { confirmedAt, declinedAt, answers } = auditionRequests;
  const rows = await db
    .select({ confirmedAt, declinedAt, answers })
    .from(auditionRequests)
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .where(
      and(
        eq(auditionRequests.performerId, performerId),
        readsRequest(userId),
        isNull(auditionRequests.withdrawnAt),
        eq(castingRoles.status, 'open'),
      ),
    );
  const toText = (time: Date | null) => time?.toISOString() ?? null;
  return rows.some(
    (row) =>
      !isAnsweredFinally(row.answers) &&
      !isDeclined({ confirmed_at: toText(row.confirmedAt), declined_at: toText(row.declinedAt) }),
  );
}

type Viewed = Pick<VisibleProfile, 'userId' | 'viewerRole'>;

/** Whether a signed-in person sees on which days the owner of a profile is free. Of a minor, connections alone do. */
export async function canSeeDays(db: Db, viewerId: number, { userId, viewerRole }: Viewed): Promise<boolean> {
  if (viewerRole === 'owner') return true;
  const [owner] = await db
    .select({ audience: users.availabilityFor, isMinor: users.isMinor })
    .from(users)
    .where(eq(users.id, userId));
  if (owner === undefined || (owner.isMinor && viewerRole !== 'connection')) return false;
  const RULES: Record<AvailabilityAudience, () => boolean | Promise<boolean>> = {
    nobody: () => false,
    connections: () => viewerRole === 'connection',
    casting: () => isAsking(db, viewerId, userId),
  };
  return RULES[owner.audience]();
}

/** What others see of a person's days: whether each is free, and not which promise it is. */
export async function listSeenDays(db: Db, userId: number, from: string, to: string, now: Date): Promise<SeenDay[]> {
  const days = await listDaysOf(db, userId, from, to);
  return days.flatMap((row) => {
    const { state } = getCurrent(presentDay(row), now.getTime());
    return state === null ? [] : [{ date: row.date, is_free: state === 'free' }];
  });
}
