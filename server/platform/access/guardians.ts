import { eq } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { guardians } from '#server/platform/db/schema.ts';

export type GuardianRow = typeof guardians.$inferSelect;

/** The guardian that a minor has named; null without one. */
export async function findGuardian(db: Db, userId: number): Promise<GuardianRow | null> {
  const [found] = await db.select().from(guardians).where(eq(guardians.userId, userId));
  return found ?? null;
}
