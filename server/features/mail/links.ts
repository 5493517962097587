import { createHash, randomBytes } from 'node:crypto';
import { and, eq, gt, inArray, isNotNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { accountTokens, guardians, mails, users } from '#server/platform/db/schema.ts';
import { invalid } from '#server/platform/http/errors.ts';
import type { LinkPurpose, MailKind } from './kind.ts';

/** Expired tokens are kept this long. */
const RETENTION_MS = 7 * 24 * 60 * 60_000;

const toHash = (token: string) => createHash('sha256').update(token).digest('hex');

export interface NewLink {
  /** Links of one request end together. */
  request: string;
  userId: number;
  purpose: LinkPurpose;
  /** Where the link is sent. */
  address: string;
  expiresAt: Date;
}

/** Makes the token of a link. Only its hash is stored. */
export async function createLinkToken(db: Db, link: NewLink): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await db.insert(accountTokens).values({ ...link, tokenHash: toHash(token) });
  return token;
}

/** A link that works, and whom it is for. */
export interface Link {
  purpose: LinkPurpose;
  request: string;
  userId: number;
  /** Where it was sent. */
  address: string;
  name: string;
  expiresAt: Date;
  /** Null if it has not been used yet. */
  usedAt: Date | null;
}

/** The response to a token that is expired, used, of another purpose, or not one of ours. */
export const brokenLink = () => invalid({ token: ['This link no longer works. Ask for a new one.'] });

/**
 * Whether the address that a link was sent to still allows what the link does. Most links work as long as it is the person's. A new
 * address is confirmed while it is asked for, and again after that. An old address takes a change back. A guardian's link works as long as
 * the address is the guardian's.
 */
const isAllowed = or(
  and(inArray(accountTokens.purpose, ['verify', 'reset', 'secure']), eq(users.email, accountTokens.address)),
  and(
    eq(accountTokens.purpose, 'change-email'),
    or(
      eq(users.pendingEmail, accountTokens.address),
      and(isNotNull(accountTokens.usedAt), eq(users.email, accountTokens.address)),
    ),
  ),
  eq(accountTokens.purpose, 'restore-email'),
  // Somebody else may have been named since.
  and(
    eq(accountTokens.purpose, 'guardian'),
    sql`exists (select from ${guardians} where ${guardians.userId} = ${users.id} and ${guardians.email} = ${accountTokens.address})`,
  ),
);

/**
 * Finds the link of a token.
 * @param purposes what the link may be for
 * @param isUsedAllowed whether a link that was used before is returned too
 * @throws 422 naming `token`
 */
export async function findLink(
  db: Db,
  token: string,
  purposes: readonly LinkPurpose[],
  now: Date,
  { isUsedAllowed = false } = {},
): Promise<Link> {
  const [found] = await db
    .select({
      purpose: accountTokens.purpose,
      request: accountTokens.request,
      userId: users.id,
      address: accountTokens.address,
      name: users.name,
      expiresAt: accountTokens.expiresAt,
      usedAt: accountTokens.usedAt,
    })
    .from(accountTokens)
    .innerJoin(users, and(eq(users.id, accountTokens.userId), isAllowed))
    .where(
      and(
        eq(accountTokens.tokenHash, toHash(token)),
        inArray(accountTokens.purpose, [...purposes]),
        gt(accountTokens.expiresAt, now),
      ),
    )
    // Locks the token too: of two requests with it, the second must see what the first has done.
    .for('update');
  if (found === undefined || (found.usedAt !== null && !isUsedAllowed)) throw brokenLink();
  return found;
}

/** Marks every link of the request as used. */
export async function spendLink(tx: Db, { request }: Pick<Link, 'request'>, now: Date): Promise<void> {
  await tx.update(accountTokens).set({ usedAt: now }).where(eq(accountTokens.request, request));
}

/** Ends the person's unused links for a purpose, for example older links for a new password once there is a new one. */
export async function endLinks(tx: Db, userId: number, purpose: LinkPurpose): Promise<void> {
  await tx.delete(accountTokens).where(and(eq(accountTokens.userId, userId), eq(accountTokens.purpose, purpose)));
}

/**
 * Ends the links in the person's mails of this kind that were queued after the mail with the given link, and drops those that still wait.
 * Goes by the order of the mails and not of the links: a link is made when its mail is sent, and an earlier mail may be sent later.
 * @param tx has locked the person, so that no link is being made for one of these mails
 */
export async function endLaterMails(
  tx: Db,
  kind: Pick<MailKind<unknown>, 'name'>,
  { userId, request }: Pick<Link, 'userId' | 'request'>,
  now: Date,
): Promise<void> {
  const [mail] = await tx
    .select({ id: mails.id })
    .from(mails)
    .where(and(eq(mails.userId, userId), eq(mails.request, request)));
  if (mail === undefined) return;
  const isLater = and(eq(mails.userId, userId), eq(mails.kind, kind.name), gt(mails.id, mail.id));
  await tx
    .update(mails)
    .set({ state: 'dropped', lastCode: 'taken back', endedAt: now })
    .where(and(isLater, eq(mails.state, 'queued')));
  const requests = tx.select({ request: mails.request }).from(mails).where(isLater);
  await tx.delete(accountTokens).where(and(eq(accountTokens.userId, userId), inArray(accountTokens.request, requests)));
}

/** Deletes links that expired some time ago. */
export async function deleteOldLinks(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, accountTokens, lt(accountTokens.expiresAt, new Date(now.getTime() - RETENTION_MS)));
}
