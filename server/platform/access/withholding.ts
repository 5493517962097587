import { eq } from 'drizzle-orm';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { profiles, users } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { needsConfirmedEmail } from '#server/platform/http/errors.ts';
import type { ProfileRow } from './profiles.ts';
import { recordForWatchers } from './watchers.ts';

/**
 * A new account may belong to somebody who does not own its address. Until the address is confirmed, nobody else sees its profiles, and
 * it reaches nobody who does not know it. What the person writes for themselves is stored as usual.
 */

/**
 * Reads why a person's profiles are withheld from others, for a new profile. Locks the person until the commit, so that a confirmation
 * at the same moment either comes first or finds the new profile.
 */
export async function lockWithholding(tx: Db, userId: number): Promise<ProfileRow['withheld']> {
  const [user] = await tx
    .select({ mustConfirmEmail: users.mustConfirmEmail })
    .from(users)
    .where(eq(users.id, userId))
    .for('no key update');
  return user?.mustConfirmEmail ? 'email' : null;
}

/** Shows a person's profiles to others once their address is confirmed. The caller holds the lock of the person. */
export async function endWithholding(tx: Db, changes: ChangeLog, userId: number): Promise<void> {
  await tx.update(users).set({ mustConfirmEmail: false }).where(eq(users.id, userId));
  const shown = await tx
    .update(profiles)
    .set({ withheld: null })
    .where(eq(profiles.userId, userId))
    .returning({ id: profiles.id, userId: profiles.userId });
  for (const profile of shown) await recordForWatchers(tx, changes, profile);
}

/** @throws 403 with the reason 'verify' if the caller's address has to be confirmed before they may reach other people */
export function requireConfirmedEmail(caller: Caller): void {
  if (caller.mustConfirmEmail) throw needsConfirmedEmail();
}
