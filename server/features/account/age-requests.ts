import { and, asc, desc, eq, gt, lt } from 'drizzle-orm';
import { AGE_REQUEST_DAYS } from '#contract/desk-acts.ts';
import type { AgeRequest } from '#contract/records/consent.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { ageRequests } from '#server/platform/db/schema.ts';

export type AgeRequestRow = typeof ageRequests.$inferSelect;

/** The newest request of a person. If one is open, it is this one. */
async function findNewest(db: Db, userId: number): Promise<AgeRequestRow | null> {
  const [newest] = await db
    .select()
    .from(ageRequests)
    .where(eq(ageRequests.userId, userId))
    .orderBy(desc(ageRequests.id))
    .limit(1);
  return newest ?? null;
}

/** The request of a person that waits, or that was declined and not followed by another. Null if there is nothing to show them. */
export async function findAgeRequest(db: Db, userId: number): Promise<AgeRequest | null> {
  const newest = await findNewest(db, userId);
  if (newest === null || (newest.state !== 'open' && newest.state !== 'declined')) return null;
  const { wanted, reason, askedAt, state, words } = newest;
  return { born_on: wanted, reason, asked_at: askedAt.toISOString(), state, words };
}

/** Whether the desk has decided the newest request of a person. */
export async function isAgeDecided(db: Db, userId: number): Promise<boolean> {
  const newest = await findNewest(db, userId);
  return newest?.state === 'granted' || newest?.state === 'declined';
}

/** Whether the person has asked again since. */
export const hasNewerAgeRequest = async (db: Db, { id, userId }: AgeRequestRow): Promise<boolean> =>
  (await db.$count(ageRequests, and(eq(ageRequests.userId, userId), gt(ageRequests.id, id)))) > 0;

/** Takes the open request of a person back. The caller holds the lock of the person. @returns false if none is open */
export async function withdrawAgeRequest(tx: Db, userId: number, now: Date): Promise<boolean> {
  const withdrawn = await tx
    .update(ageRequests)
    .set({ state: 'withdrawn', decidedAt: now })
    .where(and(eq(ageRequests.userId, userId), eq(ageRequests.state, 'open')))
    .returning({ id: ageRequests.id });
  return withdrawn.length > 0;
}

type NewAgeRequest = Pick<AgeRequestRow, 'userId' | 'wanted' | 'bornOn' | 'reason'>;

/** Whether this very request is open already: a repeated tap. */
export async function isAgeRequestOpen(db: Db, { userId, wanted, reason }: NewAgeRequest): Promise<boolean> {
  const newest = await findNewest(db, userId);
  return newest?.state === 'open' && newest.wanted === wanted && newest.reason === reason;
}

/** Stores a request, in place of one that is open. The caller holds the lock of the person. */
export async function addAgeRequest(tx: Db, request: NewAgeRequest, now: Date): Promise<AgeRequestRow> {
  await withdrawAgeRequest(tx, request.userId, now);
  const [added] = await tx
    .insert(ageRequests)
    .values({ ...request, askedAt: now })
    .returning();
  return added!;
}

/** Every request of a person, oldest first. */
export const listAgeRequestsOf = (db: Db, userId: number): Promise<AgeRequestRow[]> =>
  db.select().from(ageRequests).where(eq(ageRequests.userId, userId)).orderBy(asc(ageRequests.id));

const RETENTION_MS = AGE_REQUEST_DAYS * 24 * 60 * 60_000;

/** Deletes requests that were decided or withdrawn long ago. */
export async function deleteOldAgeRequests(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, ageRequests, lt(ageRequests.decidedAt, new Date(now.getTime() - RETENTION_MS)));
}
