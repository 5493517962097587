import { and, eq, inArray, isNull, max } from 'drizzle-orm';
import { ADULT_AGE, isYounger } from '#contract/age.ts';
import { getVisitorSight, isVisitor, NOTHING_SHOWN, type ViewerRole, type VisitorSight } from '#contract/audience.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { profiles, users } from '#server/platform/db/schema.ts';

/**
 * What it means to be under 18, for everybody who asks. A person is a minor from the moment that a date of birth says so, or that a new
 * account gives none. Nothing ends by the passing of time: at 18 they are asked whether they want to open up. So `users.is_minor` is
 * stored and changes only in writes, and no list has to compare dates.
 *
 * A minor's page may be withheld until a guardian agrees (`withholding.ts`). Also after that: only accepted connections see contacts and
 * the day rate, search engines do not list the page, and strangers cannot write to them.
 */

/** Whether a person whose date of birth this is counts as a minor. Unknown counts as one. */
export const isMinorBy = (bornOn: string | null, now: Date): boolean =>
  bornOn === null || isYounger(bornOn, ADULT_AGE, now);

/** Asks search engines not to list a page or a file. */
export const NOT_INDEXED = 'noindex';

export async function getSightOf(db: Db, ownerId: number): Promise<VisitorSight> {
  const [owner] = await db
    .select({ isMinor: users.isMinor, privacy: users.privacy })
    .from(users)
    .where(eq(users.id, ownerId));
  return getVisitorSight(owner ?? { isMinor: true, privacy: NOTHING_SHOWN });
}

/** Whether a viewer in this role may write to the person: a request, or a text on their page. Nobody can who is a stranger to a minor. */
export async function canBeWrittenBy(db: Db, ownerId: number, viewerRole: ViewerRole): Promise<boolean> {
  if (!isVisitor(viewerRole)) return true;
  const [owner] = await db.select({ isMinor: users.isMinor }).from(users).where(eq(users.id, ownerId));
  return owner !== undefined && !owner.isMinor;
}

/**
 * The date of birth by which somebody with an account from before the app asked for one turns out to be a minor: the latest of their
 * profiles. Null if they are none by that, or have given the date themselves.
 */
export async function findYouth(db: Db, userId: number, now: Date): Promise<string | null> {
  const [found] = await db
    .select({ youngest: max(profiles.dob) })
    .from(users)
    .innerJoin(profiles, eq(profiles.userId, users.id))
    .where(and(eq(users.id, userId), isNull(users.bornOn)));
  const youngest = found?.youngest ?? null;
  return youngest !== null && isMinorBy(youngest, now) ? youngest : null;
}

/** Those of these people who are minors. */
export async function findMinors(db: Db, userIds: readonly number[]): Promise<number[]> {
  if (userIds.length === 0) return [];
  const found = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...userIds]), users.isMinor));
  return found.map(({ id }) => id);
}
