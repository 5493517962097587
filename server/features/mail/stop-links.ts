import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { users } from '#server/platform/db/schema.ts';
import { getSigningSecret } from '#server/platform/db/signing-secret.ts';
import { isEqualConstantTime } from '#server/platform/live/channels.ts';
import { MAIL_SWITCHES, type MailSwitch } from './kind.ts';

/** Which mails a link switches off, and for whom. */
export interface StopLink {
  userId: number;
  switchedBy: MailSwitch;
}

async function sign(db: Db, { userId, switchedBy }: StopLink, address: string): Promise<string> {
  return createHmac('sha256', await getSigningSecret(db))
    .update(`stop mail ${switchedBy} ${userId} ${address}`)
    .digest('base64url');
}

/** Builds the link that switches off mails like this one. It works for as long as the address is the person's. */
export async function createStopUrl(db: Db, home: string, link: StopLink & { address: string }): Promise<string> {
  // Without a dot: the server takes the last part of a path with one for a file.
  return `${home}/mail/stop/${link.userId}-${link.switchedBy}-${await sign(db, link, link.address)}`;
}

const isSwitch = (name: string): name is MailSwitch => Object.hasOwn(MAIL_SWITCHES, name);

/** Reads the token of such a link. @returns null if it is not one of ours, or no longer works */
export async function readStopToken(db: Db, token: string): Promise<StopLink | null> {
  const [, id, switchedBy = '', signature = ''] = /^([1-9]\d{0,14})-([a-zA-Z]+)-([\w-]{43})$/.exec(token) ?? [];
  if (id === undefined || !isSwitch(switchedBy)) return null;
  const link = { userId: Number(id), switchedBy };
  const [user] = await db.select({ email: users.email }).from(users).where(eq(users.id, link.userId));
  return user && isEqualConstantTime(signature, await sign(db, link, user.email)) ? link : null;
}
