import { createHmac, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db } from '#server/platform/db/connect.ts';
import { deleteInBatches } from '#server/platform/db/delete-in-batches.ts';
import { getSigningSecret } from '#server/platform/db/signing-secret.ts';
import { knownNetworks, users } from '#server/platform/db/schema.ts';
import { getCookie } from '#server/platform/http/cookies.ts';
import { isEqualConstantTime } from '#server/platform/live/channels.ts';

const YEAR_S = 365 * 24 * 60 * 60;
/** A device remembers several accounts because phones are shared on set. */
const MAX_ACCOUNTS_PER_DEVICE = 4;
const MAX_NETWORKS_PER_PERSON = 20;
/** Networks without a sign-in for this long are deleted. */
const NETWORK_RETENTION_MS = 90 * 24 * 60 * 60_000;

async function computeMac(db: Db, text: string): Promise<string> {
  return createHmac('sha256', await getSigningSecret(db))
    .update(text)
    .digest('base64url');
}

const deviceText = (userId: number, nonce: string) => `device ${userId} ${nonce}`;
const networkText = (network: string) => `network ${network}`;
/** The prefix makes browsers accept the cookie only from this host; over plain HTTP they would reject it entirely. */
const getCookieName = ({ protocol }: Pick<FastifyRequest, 'protocol'>) =>
  protocol === 'https' ? '__Host-callboard-device' : 'callboard-device';

const readCookieEntries = (request: FastifyRequest): string[] =>
  (getCookie(request, getCookieName(request)) ?? '')
    .split('~')
    .filter((entry) => /^[\w-]{22}\.[\w-]{43}$/.test(entry))
    .slice(0, MAX_ACCOUNTS_PER_DEVICE);

/**
 * Whether this device has signed in to the account before. The cookie does not authenticate: it only gives the device its own
 * rate limit, so that guesses from elsewhere do not lock out its owner.
 * @returns the rate-limit key of the device, or null if the account does not know it
 */
export async function findKnownDevice(db: Db, request: FastifyRequest, userId: number): Promise<string | null> {
  for (const entry of readCookieEntries(request)) {
    const [nonce = '', mac = ''] = entry.split('.');
    if (isEqualConstantTime(mac, await computeMac(db, deviceText(userId, nonce)))) return nonce;
  }
  return null;
}

/**
 * Returns the number by which this account knows the device, which is new if it knows none, and the cookie that remembers it there, in
 * addition to those of other accounts.
 */
export async function rememberDevice(
  db: Db,
  request: FastifyRequest,
  userId: number,
): Promise<{ nonce: string; cookie: string }> {
  const known = await findKnownDevice(db, request, userId);
  const nonce = known ?? randomBytes(16).toString('base64url');
  const own = `${nonce}.${await computeMac(db, deviceText(userId, nonce))}`;
  const others = readCookieEntries(request).filter((entry) => entry !== own);
  const value = [own, ...others].slice(0, MAX_ACCOUNTS_PER_DEVICE).join('~');
  const secure = request.protocol === 'https' ? '; Secure' : '';
  const cookie = `${getCookieName(request)}=${value}; Path=/; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax${secure}`;
  return { nonce, cookie };
}

/** Whether the person has recently signed in from this network. */
export async function isKnownNetwork(db: Db, email: string, network: string): Promise<boolean> {
  const found = await db
    .select({ userId: knownNetworks.userId })
    .from(knownNetworks)
    .innerJoin(users, eq(users.id, knownNetworks.userId))
    .where(and(eq(users.email, email), eq(knownNetworks.networkHash, await computeMac(db, networkText(network)))));
  return found.length > 0;
}

/** Remembers the network of a sign-in. */
export async function rememberNetwork(db: Db, userId: number, network: string, now: Date): Promise<void> {
  const networkHash = await computeMac(db, networkText(network));
  await db
    .insert(knownNetworks)
    .values({ userId, networkHash, lastUsedAt: now })
    .onConflictDoUpdate({ target: [knownNetworks.userId, knownNetworks.networkHash], set: { lastUsedAt: now } });
  const surplus = db
    .select({ networkHash: knownNetworks.networkHash })
    .from(knownNetworks)
    .where(eq(knownNetworks.userId, userId))
    .orderBy(desc(knownNetworks.lastUsedAt))
    .offset(MAX_NETWORKS_PER_PERSON);
  await db
    .delete(knownNetworks)
    .where(and(eq(knownNetworks.userId, userId), inArray(knownNetworks.networkHash, surplus)));
}

/** Deletes networks that have not been used for a long time. */
export async function deleteOldNetworks(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - NETWORK_RETENTION_MS);
  await deleteInBatches(db, knownNetworks, lt(knownNetworks.lastUsedAt, before));
}
