import type { Db } from '#server/platform/db/connect.ts';
import { findRestriction } from '#server/platform/db/restrictions.ts';
import { forbidden } from '#server/platform/http/errors.ts';

/** @throws 403 if the desk has hidden it, so that its owner cannot show it again */
export async function requireUnrestricted(db: Db, targetType: string, targetId: number): Promise<void> {
  if ((await findRestriction(db, targetType, targetId)) === null) return;
  throw forbidden('This was hidden by the people who run Callboard. You can answer them');
}
