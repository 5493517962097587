import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { restrictions } from '#server/platform/db/schema.ts';

/** When the person's suspension ends; null if not by itself. */
export async function getSuspensionEnd(db: Db, userId: number): Promise<Date | null> {
  const [found] = await db
    .select({ until: restrictions.until })
    .from(restrictions)
    .where(and(eq(restrictions.targetType, 'user'), eq(restrictions.targetId, userId), isNull(restrictions.liftedAt)));
  return found?.until ?? null;
}
