import { and, eq, sql } from 'drizzle-orm';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { profiles, restrictions, users } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { needsConfirmedEmail } from '#server/platform/http/errors.ts';
import type { ProfileRow } from './profiles.ts';
import { recordForWatchers } from './watchers.ts';

/**
 * Why others do not see a profile although its owner shows it. A new account may belong to somebody who does not own its address: until
 * the address is confirmed, nobody else sees its profiles, and it reaches nobody who does not know it. The desk suspends a person or hides
 * one profile. What the person writes for themselves is stored as usual.
 */

/** The first reason that applies to a profile of a person; both rows must be in the query. Every reason has its place here. */
const REASON = sql<ProfileRow['withheld']>`case
  when ${users.state} <> 'active' then 'suspended'
  when ${users.mustConfirmEmail} then 'email'
  when exists (
    select from ${restrictions} where ${restrictions.targetType} = 'profile' and ${restrictions.targetId} = ${profiles.id}
      and ${restrictions.liftedAt} is null
  ) then 'hidden' end`;

/**
 * Reads why a person's profiles are withheld from others, for a new profile. Locks the person until the commit, so that a confirmation
 * at the same moment either comes first or finds the new profile.
 */
export async function lockWithholding(tx: Db, userId: number): Promise<ProfileRow['withheld']> {
  const [user] = await tx
    .select({ state: users.state, mustConfirmEmail: users.mustConfirmEmail })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  if (user !== undefined && user.state !== 'active') return 'suspended';
  return user?.mustConfirmEmail ? 'email' : null;
}

/** Shows or withholds a person's profiles after something that decides about it has changed. The caller holds the lock of the person. */
export async function renewWithholding(tx: Db, changes: ChangeLog, userId: number): Promise<void> {
  const changed = await tx
    .update(profiles)
    .set({ withheld: REASON })
    .from(users)
    .where(and(eq(profiles.userId, userId), eq(users.id, userId), sql`${profiles.withheld} is distinct from ${REASON}`))
    .returning({ id: profiles.id, userId: profiles.userId });
  for (const profile of changed) await recordForWatchers(tx, changes, profile);
}

/** Shows a person's profiles to others once their address is confirmed. The caller holds the lock of the person. */
export async function endWithholding(tx: Db, changes: ChangeLog, userId: number): Promise<void> {
  await tx.update(users).set({ mustConfirmEmail: false }).where(eq(users.id, userId));
  await renewWithholding(tx, changes, userId);
}

/** @throws 403 with the reason 'verify' if the caller's address has to be confirmed before they may reach other people */
export function requireConfirmedEmail(caller: Caller): void {
  if (caller.mustConfirmEmail) throw needsConfirmedEmail();
}
