import { randomUUID } from 'node:crypto';
import type { Db } from '#server/platform/db/connect.ts';
import { createLinkToken } from '#server/features/mail/links.ts';
import { RESET } from '#server/features/mail/templates/reset.ts';
import { findUserByEmail } from './store.ts';

/** How long a link works that an operator passes on. */
export const OPERATOR_LINK_MINUTES = 60;

/**
 * Makes a link for a new password, for a person who cannot receive mail.
 * @returns the path of its page, or null if no account has this e-mail address
 */
export async function createResetPath(db: Db, email: string, now = new Date()): Promise<string | null> {
  const user = await findUserByEmail(db, email.trim().toLowerCase());
  if (user === null) return null;
  const token = await createLinkToken(db, {
    request: randomUUID(),
    userId: user.id,
    purpose: 'reset',
    address: user.email,
    expiresAt: new Date(now.getTime() + OPERATOR_LINK_MINUTES * 60_000),
  });
  return `${RESET.link?.page ?? ''}#t=${token}`;
}
