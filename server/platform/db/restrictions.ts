import { and, asc, desc, eq, isNull } from 'drizzle-orm';
import type { Db } from './connect.ts';
import { restrictions } from './schema.ts';

export type RestrictionRow = typeof restrictions.$inferSelect;

const isInForce = isNull(restrictions.liftedAt);

/** What the desk restricts of an account now: its suspension first, then what is hidden, oldest first. */
export const listRestrictions = (db: Db, userId: number): Promise<RestrictionRow[]> =>
  db
    .select()
    .from(restrictions)
    .where(and(eq(restrictions.userId, userId), isInForce))
    .orderBy(desc(restrictions.kind), asc(restrictions.id));

/** The restriction of a target that is in force; null if there is none. That of a person is their suspension. */
export async function findRestriction(db: Db, targetType: string, targetId: number): Promise<RestrictionRow | null> {
  const [found] = await db
    .select()
    .from(restrictions)
    .where(and(eq(restrictions.targetType, targetType), eq(restrictions.targetId, targetId), isInForce));
  return found ?? null;
}
