import { eq } from 'drizzle-orm';
import { updateWithholding } from '#server/platform/access/withholding.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { users } from '#server/platform/db/schema.ts';
import type { WriteTransaction } from '#server/platform/http/write.ts';
import { endLaterMails, endLinks, type Link } from '#server/features/mail/links.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { EMAIL_CHANGED } from '#server/features/mail/templates/email-changed.ts';
import { isAddressConfirmed } from '#server/platform/access/address-state.ts';
import { findUserByEmail, lockUser } from './store.ts';

/** What a person is told whose address is confirmed. The page of the link knows these words. */
export const CONFIRMED = 'Your e-mail is confirmed';

/** Marks the address as confirmed, unless it is, and shows the profiles of a new person to others. */
export async function confirmAddress(
  { tx, changes }: WriteTransaction,
  userId: number,
  now: Date,
): Promise<typeof users.$inferSelect> {
  const user = await lockUser(tx, userId);
  if (isAddressConfirmed(user) && !user.mustConfirmEmail) return user;
  // Passkeys from before the first confirmation may be somebody else's, so that moment is kept.
  const confirmed = {
    emailVerifiedAt: user.emailVerifiedAt ?? now,
    unreachableEmail: null,
    mustConfirmEmail: false,
  };
  await tx.update(users).set(confirmed).where(eq(users.id, userId));
  if (user.mustConfirmEmail) await updateWithholding(tx, changes, userId);
  return { ...user, ...confirmed };
}

/** Gives a person another, confirmed address. @returns false if another account has it */
async function setAddress(tx: Db, userId: number, email: string, now: Date): Promise<boolean> {
  if ((await findUserByEmail(tx, email)) !== null) return false;
  // If somebody registers with the address at this moment, this fails, and the transaction is run again.
  const confirmed = { emailVerifiedAt: now, unreachableEmail: null, mustConfirmEmail: false };
  await tx
    .update(users)
    .set({ email, pendingEmail: null, ...confirmed })
    .where(eq(users.id, userId));
  return true;
}

/**
 * Replaces a person's address with the one that the link was sent to, and tells the old one. Does nothing for a link that was used. If another
 * account has the address by now, the change is given up: Settings must not go on promising it.
 * @returns what the person is told
 */
export async function replaceAddress(write: WriteTransaction, link: Link, now: Date): Promise<string> {
  const { tx, changes } = write;
  const { userId, address } = link;
  const before = await lockUser(tx, userId);
  if (before.email === address) return CONFIRMED;
  if (!(await setAddress(tx, userId, address, now))) {
    await tx.update(users).set({ pendingEmail: null }).where(eq(users.id, userId));
    return 'There is an account with this e-mail by now, so yours stays as it is';
  }
  if (before.mustConfirmEmail) await updateWithholding(tx, changes, userId);
  // An address that was never confirmed may belong to somebody else, whom the account does not concern.
  if (before.emailVerifiedAt !== null) {
    await queueMail(tx, EMAIL_CHANGED, { at: now.toISOString(), to: address }, { userId, address: before.email }, now);
  }
  return CONFIRMED;
}

/** Takes a change of the address back, or one that is still to be confirmed. @returns what the person is told */
export async function restoreAddress(tx: Db, link: Link, now: Date): Promise<string> {
  const { userId, address, purpose, usedAt } = link;
  const { email } = await lockUser(tx, userId);
  await tx.update(users).set({ pendingEmail: null }).where(eq(users.id, userId));
  await endLinks(tx, userId, 'change-email');
  const done = 'All devices are signed out';
  // A link that is opened again days later must not undo what the person has changed since.
  if (purpose !== 'restore-email' || usedAt !== null) return done;
  if (email !== address && !(await setAddress(tx, userId, address, now))) {
    return `${done}. There is another account with ${address} by now, so your e-mail stays as it is`;
  }
  // Whoever changed the address may have changed it several times, and reads the mail of the addresses in between.
  await endLaterMails(tx, EMAIL_CHANGED, link, now);
  return email === address ? done : `${done}, and your e-mail is ${address} again`;
}
