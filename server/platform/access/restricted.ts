import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { restrictions } from '#server/platform/db/schema.ts';
import { forbidden } from '#server/platform/http/errors.ts';

/** @throws 403 if the desk has hidden it, so that its owner cannot show it again */
export async function requireUnrestricted(db: Db, targetType: string, targetId: number): Promise<void> {
  const [found] = await db
    .select({ id: restrictions.id })
    .from(restrictions)
    .where(
      and(eq(restrictions.targetType, targetType), eq(restrictions.targetId, targetId), isNull(restrictions.liftedAt)),
    );
  if (found !== undefined) throw forbidden('This was hidden by the people who run Callboard. You can answer them');
}
