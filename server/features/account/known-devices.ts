import { createHmac, randomBytes } from 'node:crypto';
import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import type { FastifyRequest } from 'fastify';
import type { Db } from '#server/platform/db/connect.ts';
import { getSigningSecret } from '#server/platform/db/signing-secret.ts';
import { knownNetworks, users } from '#server/platform/db/schema.ts';
import { getCookie } from '#server/platform/http/cookies.ts';
import { isEqualConstantTime } from '#server/platform/live/channels.ts';

const YEAR_S = 365 * 24 * 60 * 60;
/** Accounts one device remembers: a phone is passed around on set. */
const MAX_ACCOUNTS_PER_DEVICE = 4;
const MAX_NETWORKS_PER_PERSON = 20;
/** A network nobody signed in from for so long is forgotten. */
const NETWORK_RETENTION_MS = 90 * 24 * 60 * 60_000;

async function macOf(db: Db, text: string): Promise<string> {
  return createHmac('sha256', await getSigningSecret(db))
    .update(text)
    .digest('base64url');
}

const deviceText = (userId: number, nonce: string) => `device ${userId} ${nonce}`;
const networkText = (network: string) => `network ${network}`;
/** The prefix makes browsers refuse the cookie from anybody but this host; over plain http they would refuse it altogether. */
const nameOf = ({ protocol }: Pick<FastifyRequest, 'protocol'>) =>
  protocol === 'https' ? '__Host-callboard-device' : 'callboard-device';

const entriesOf = (request: FastifyRequest): string[] =>
  (getCookie(request, nameOf(request)) ?? '')
    .split('~')
    .filter((entry) => /^[\w-]{22}\.[\w-]{43}$/.test(entry))
    .slice(0, MAX_ACCOUNTS_PER_DEVICE);

/**
 * Whether this device has signed in to the account before. Its cookie signs nobody in: it only lets the device's sign-ins be
 * counted by themselves, so that guesses from elsewhere do not keep its owner out.
 * @returns what to count the device by; null for a device the account does not know
 */
export async function knownDevice(db: Db, request: FastifyRequest, userId: number): Promise<string | null> {
  for (const entry of entriesOf(request)) {
    const [nonce = '', mac = ''] = entry.split('.');
    if (isEqualConstantTime(mac, await macOf(db, deviceText(userId, nonce)))) return nonce;
  }
  return null;
}

/** The cookie that makes this device known to the account, beside the other accounts it knows. */
async function deviceCookie(db: Db, request: FastifyRequest, userId: number): Promise<string> {
  const known = await knownDevice(db, request, userId);
  const nonce = known ?? randomBytes(16).toString('base64url');
  const own = `${nonce}.${await macOf(db, deviceText(userId, nonce))}`;
  const others = entriesOf(request).filter((entry) => entry !== own);
  const value = [own, ...others].slice(0, MAX_ACCOUNTS_PER_DEVICE).join('~');
  const secure = request.protocol === 'https' ? '; Secure' : '';
  return `${nameOf(request)}=${value}; Path=/; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax${secure}`;
}

/** Whether the person has signed in from this network of late. */
export async function isKnownNetwork(db: Db, email: string, network: string): Promise<boolean> {
  const found = await db
    .select({ userId: knownNetworks.userId })
    .from(knownNetworks)
    .innerJoin(users, eq(users.id, knownNetworks.userId))
    .where(and(eq(users.email, email), eq(knownNetworks.networkHash, await macOf(db, networkText(network)))));
  return found.length > 0;
}

/** Notes where and on what a person signed in. @returns headers of the answer */
export async function rememberSignIn(
  db: Db,
  request: FastifyRequest,
  userId: number,
  network: string,
  now: Date,
): Promise<Record<string, string>> {
  const networkHash = await macOf(db, networkText(network));
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
  return { 'set-cookie': await deviceCookie(db, request, userId) };
}

/** Forgets networks that nobody used for long. */
export async function deleteOldNetworks(db: Db, now: Date): Promise<void> {
  await db.delete(knownNetworks).where(lt(knownNetworks.lastUsedAt, new Date(now.getTime() - NETWORK_RETENTION_MS)));
}
