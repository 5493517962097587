import { eq } from 'drizzle-orm';
import type { MailEvent } from '#contract/records/mail.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { mails, users } from '#server/platform/db/schema.ts';
import { MAIL_SWITCHES } from './kind.ts';
import { noteUnreachable } from './reach.ts';

/** `<m-1234@callboard.example>` → 'm-1234', as `mails` has it. */
const toStoredId = (messageId: string) => messageId.trim().replace(/^<|>$/g, '').replace(/@.*$/s, '');

const ALL_OFF = Object.fromEntries(Object.keys(MAIL_SWITCHES).map((name) => [name, false])) as Record<
  keyof typeof MAIL_SWITCHES,
  false
>;

/**
 * Does what a report of the mail service asks for: a complaint switches off everything that can be switched off, and a permanent bounce
 * marks the address. Reports about unknown mails, deleted accounts and earlier addresses change nothing. May be repeated.
 */
export async function takeMailEvent(db: Db, { message_id: messageId, kind, permanent }: MailEvent): Promise<void> {
  const [mail] = await db
    .select({ userId: mails.userId, address: mails.address })
    .from(mails)
    .where(eq(mails.messageId, toStoredId(messageId)));
  if (mail === undefined || mail.userId === null) return;
  if (kind === 'complaint') await db.update(users).set(ALL_OFF).where(eq(users.id, mail.userId));
  else if (permanent === true && mail.address !== null) await noteUnreachable(db, mail.userId, mail.address);
}
