import { and, asc, eq, inArray, isNull } from 'drizzle-orm';
import type { Verified } from '#contract/records/office.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { offices, profiles, users } from '#server/platform/db/schema.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { computeSkeleton, isLookalike } from '#server/platform/names/skeleton.ts';
import { recordForConnections, recordForWatchers } from './watchers.ts';

export type OfficeRow = typeof offices.$inferSelect;
const isActive = isNull(offices.revokedAt);

/** The condition of a left join that adds a user's verified office, if they are one. */
export const isOfficeOfUser = and(eq(offices.userId, users.id), isActive);
/** What to select of that join. */
export const officeColumns = { name: offices.name, verifiedAt: offices.verifiedAt };

export const presentOffice = (office: Pick<OfficeRow, 'name' | 'verifiedAt'> | null): Verified | null =>
  office && { name: office.name, since: office.verifiedAt.toISOString() };

/** The verified offices among these people, by user id. */
export async function getVerified(db: Db, userIds: readonly number[]): Promise<Map<number, Verified>> {
  if (userIds.length === 0) return new Map();
  const found = await db
    .select()
    .from(offices)
    .where(and(inArray(offices.userId, [...new Set(userIds)]), isActive));
  return new Map(found.flatMap((each) => (each.userId === null ? [] : [[each.userId, presentOffice(each)!]])));
}

/** All offices that were ever verified, oldest first. */
export const listOffices = (db: Db) => db.select().from(offices).orderBy(asc(offices.id));

/** The verified offices that a name would be taken for, but for that of this person. */
async function findLookalikes(db: Db, name: string, userId: number | null): Promise<OfficeRow[]> {
  const skeleton = computeSkeleton(name);
  const known = await db.select().from(offices).where(isActive);
  return known.filter((each) => isLookalike(skeleton, each.skeleton) && (userId === null || each.userId !== userId));
}

/** @throws 422 on `field` when somebody else's name would be taken for that of a verified office */
export async function refuseOfficeLookalike(db: Db, name: string, field: string, userId: number | null): Promise<void> {
  if ((await findLookalikes(db, name, userId)).length === 0) return;
  throw invalid({ [field]: ['This looks like the name of a verified casting office. Use another name'] });
}

/** Shows a change of the badge to everybody whose lists or pages name the person. */
async function recordBadge(tx: Db, changes: ChangeLog, userId: number): Promise<void> {
  const own = await tx.select().from(profiles).where(eq(profiles.userId, userId));
  for (const profile of own) {
    changes.recordChange(userId, 'profile', String(profile.id), null);
    await recordForWatchers(tx, changes, profile);
  }
  await recordForConnections(tx, changes, userId);
}

export interface NewOffice {
  userId: number;
  name: string;
  domain: string | null;
  /** The operator; null for a command. */
  verifiedBy: number | null;
}

/**
 * Verifies the account of a casting office.
 * @throws 422 naming `target_id` if there is no such person or it is an office already, `name` if the name is that of another one
 */
export async function verifyOffice(tx: Db, changes: ChangeLog, office: NewOffice, now: Date): Promise<OfficeRow> {
  const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.id, office.userId)).for('update');
  if (user === undefined) throw invalid({ target_id: ['There is no such person'] });
  if ((await getVerified(tx, [user.id])).size > 0) throw invalid({ target_id: ['This office is verified already'] });
  const skeleton = computeSkeleton(office.name);
  if (skeleton === '') throw invalid({ name: ['Enter the name of the office'] });
  await refuseOfficeLookalike(tx, office.name, 'name', null);
  const [added] = await tx
    .insert(offices)
    .values({ ...office, skeleton, verifiedAt: now })
    .returning();
  await recordBadge(tx, changes, user.id);
  return added!;
}

/** Takes the verification back. @returns false if there is no such office, or it was revoked before */
export async function revokeOffice(tx: Db, changes: ChangeLog, id: number, now: Date): Promise<boolean> {
  const [revoked] = await tx
    .update(offices)
    .set({ revokedAt: now })
    .where(and(eq(offices.id, id), isActive))
    .returning();
  if (revoked === undefined) return false;
  if (revoked.userId !== null) await recordBadge(tx, changes, revoked.userId);
  return true;
}

/** A person whose own name, or the stage name of a profile, would be taken for a verified office. */
export interface Lookalike {
  userId: number;
  name: string;
  office: string;
}

const NAMES_PER_BATCH = 5000;

/** Compares every name with those of the verified offices: names may be older than an office, and stage names are not refused. */
export async function listLookalikes(db: Db): Promise<Lookalike[]> {
  const known = await db.select().from(offices).where(isActive);
  if (known.length === 0) return [];
  const found: Lookalike[] = [];
  for (let offset = 0, count = NAMES_PER_BATCH; count === NAMES_PER_BATCH; offset += NAMES_PER_BATCH) {
    const people = await db
      .select({ userId: users.id, name: users.name, stageName: profiles.stageName })
      .from(users)
      .leftJoin(profiles, eq(profiles.userId, users.id))
      .orderBy(asc(users.id), asc(profiles.id))
      .limit(NAMES_PER_BATCH)
      .offset(offset);
    count = people.length;
    for (const { userId, name, stageName } of people) {
      for (const shown of new Set([name, stageName ?? name])) {
        const skeleton = computeSkeleton(shown);
        const like = known.find((each) => each.userId !== userId && isLookalike(skeleton, each.skeleton));
        if (like) found.push({ userId, name: shown, office: like.name });
      }
    }
  }
  // A person with several profiles has a row for each.
  return [...new Map(found.map((each) => [`${each.userId} ${each.name}`, each])).values()];
}
