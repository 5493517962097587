import { and, asc, desc, eq, inArray, isNull, lt } from 'drizzle-orm';
import type { Verified } from '#contract/records/office.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { offices, profiles, users } from '#server/platform/db/schema.ts';
import { conflict, invalid, notFound } from '#server/platform/http/errors.ts';
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

/** The office that a person is verified as; null if they are none. */
export async function findOfficeOf(db: Db, userId: number): Promise<OfficeRow | null> {
  const [found] = await db
    .select()
    .from(offices)
    .where(and(eq(offices.userId, userId), isActive));
  return found ?? null;
}

/** Verified offices with the names of their accounts, newest first. @param before number of the office before which the list goes on */
export const listActiveOffices = (db: Db, before: number | null, limit: number) =>
  db
    .select({ office: offices, personName: users.name })
    .from(offices)
    .leftJoin(users, eq(users.id, offices.userId))
    .where(and(isActive, before === null ? undefined : lt(offices.id, before)))
    .orderBy(desc(offices.id))
    .limit(limit);

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

/** Locks an office for an act. @throws 404 */
export async function lockOffice(tx: Db, id: number): Promise<OfficeRow> {
  const [office] = await tx.select().from(offices).where(eq(offices.id, id)).for('update');
  if (office === undefined) throw notFound('office');
  return office;
}

/**
 * Gives an office back what was revoked, as it was.
 * @throws 409 if it was not revoked, its account is another office by now, or somebody else has its name
 */
export async function restoreOffice(tx: Db, changes: ChangeLog, id: number): Promise<void> {
  const office = await lockOffice(tx, id);
  if (office.revokedAt === null) throw conflict('This office is verified already');
  if (office.userId !== null && (await findOfficeOf(tx, office.userId)) !== null) {
    throw conflict('This account has been verified as another office since');
  }
  if ((await findLookalikes(tx, office.name, null)).length > 0) {
    throw conflict('Another office has been verified under this name since');
  }
  await tx.update(offices).set({ revokedAt: null }).where(eq(offices.id, id));
  if (office.userId !== null) await recordBadge(tx, changes, office.userId);
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

const findLike = (known: readonly OfficeRow[], userId: number, name: string): OfficeRow | undefined => {
  const skeleton = computeSkeleton(name);
  return known.find((each) => each.userId !== userId && isLookalike(skeleton, each.skeleton));
};

/** The offices of others for which the name or a stage name of these people would be taken, by user id. Others are not in it. */
export async function getLookalikes(db: Db, userIds: readonly number[]): Promise<Map<number, string[]>> {
  const known = userIds.length === 0 ? [] : await db.select().from(offices).where(isActive);
  if (known.length === 0) return new Map();
  const names = await db
    .select({ userId: users.id, name: users.name, stageName: profiles.stageName })
    .from(users)
    .leftJoin(profiles, eq(profiles.userId, users.id))
    .where(inArray(users.id, [...new Set(userIds)]));
  const found = new Map<number, string[]>();
  for (const { userId, name, stageName } of names) {
    const like = [name, stageName ?? name].flatMap((shown) => findLike(known, userId, shown)?.name ?? []);
    const all = new Set([...(found.get(userId) ?? []), ...like]);
    if (all.size > 0) found.set(userId, [...all]);
  }
  return found;
}

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
        const like = findLike(known, userId, shown);
        if (like) found.push({ userId, name: shown, office: like.name });
      }
    }
  }
  // A person with several profiles has a row for each.
  return [...new Map(found.map((each) => [`${each.userId} ${each.name}`, each])).values()];
}
