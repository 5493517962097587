import { and, eq, isNotNull } from 'drizzle-orm';
import type { User } from '#contract/records/account.ts';
import { findGuardian } from '#server/platform/access/guardians.ts';
import { isMinorBy } from '#server/platform/access/minors.ts';
import { hasAgreed } from '#server/platform/access/withholding.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { profiles } from '#server/platform/db/schema.ts';
import { isAddressConfirmed, type AddressState } from '#server/platform/access/address-state.ts';

interface Asked extends AddressState {
  userId: number;
  mustConfirmEmail: boolean;
  bornOn: string | null;
  isMinor: boolean;
}

/** Whether a profile says when the person was born. Accounts from before the app asked for it may have it only there. */
async function hasBornOnInProfile(db: Db, userId: number): Promise<boolean> {
  const found = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(and(eq(profiles.userId, userId), isNotNull(profiles.dob)))
    .limit(1);
  return found.length > 0;
}

/** What the app asks the person next. One thing at a time, in the order in which it stands in their way. */
export async function findNextQuestion(db: Db, user: Asked, now: Date): Promise<NonNullable<User['asks']> | null> {
  const { userId, mustConfirmEmail, bornOn, isMinor } = user;
  if (bornOn === null && (isMinor || !(await hasBornOnInProfile(db, userId)))) return 'born_on';
  if (!(await hasAgreed(db, userId))) return 'consent';
  if (mustConfirmEmail) return 'email';
  if (isMinor && !isMinorBy(bornOn, now)) return 'of_age';
  if (isMinor && (await findGuardian(db, userId))?.state !== 'agreed') return 'guardian';
  return isAddressConfirmed(user) ? null : 'email';
}
