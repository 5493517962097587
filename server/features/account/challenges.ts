import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { challenges } from '#server/platform/db/schema.ts';
import { invalid } from '#server/platform/http/errors.ts';

const LIFETIME_MS = 5 * 60_000;

type Purpose = (typeof challenges.$inferSelect)['purpose'];

/** Whom a challenge is for; null before a sign-in, when nobody knows. */
type Asked = { userId: number; sessionId: number } | null;

/** Stores what an authenticator is asked to sign. @returns its id */
export async function addChallenge(
  db: Db,
  purpose: Purpose,
  asked: Asked,
  challenge: string,
  now: Date,
): Promise<string> {
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const whom = asked && { userId: asked.userId, sessionId: asked.sessionId };
  const [added] = await db
    .insert(challenges)
    .values({ purpose, ...whom, challenge, expiresAt })
    .returning({ id: challenges.id });
  return added!.id;
}

/**
 * Takes a challenge, so that nobody can use it again, whether or not what follows succeeds.
 * @throws 422 naming `challenge_id` when it is used, expired, or of another purpose or session
 */
export async function takeChallenge(db: Db, purpose: Purpose, asked: Asked, id: string, now: Date): Promise<string> {
  const isOfSession = asked === null ? isNull(challenges.sessionId) : eq(challenges.sessionId, asked.sessionId);
  const [taken] = await db
    .delete(challenges)
    .where(and(eq(challenges.id, id), eq(challenges.purpose, purpose), isOfSession, gt(challenges.expiresAt, now)))
    .returning({ challenge: challenges.challenge });
  if (taken === undefined) throw invalid({ challenge_id: ['That took too long. Try again.'] });
  return taken.challenge;
}

/** Deletes challenges that nobody answered. */
export async function deleteOldChallenges(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, challenges, lte(challenges.expiresAt, now));
}
