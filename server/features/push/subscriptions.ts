import { and, eq, ne } from 'drizzle-orm';
import type { SubscribeBody } from '#contract/records/push.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { pushSubscriptions, sessions } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { unauthorized } from '#server/platform/http/errors.ts';
import { hashEndpoint } from './endpoint.ts';

type Device = Pick<Caller, 'userId' | 'sessionId'>;

/** The subscription of the caller's device. */
export async function findSubscription(db: Db, { sessionId }: Pick<Device, 'sessionId'>) {
  const [found] = await db
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.sessionId, sessionId));
  return found ?? null;
}

/**
 * Subscribes the caller's device. A device has one subscription: another one replaces it. A browser in which somebody else was signed in
 * moves to the caller.
 */
export async function subscribe(tx: Db, { userId, sessionId }: Device, body: SubscribeBody, now: Date): Promise<void> {
  // The page and the worker of one device may subscribe at the same moment.
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
    .for('no key update');
  if (session === undefined) throw unauthorized();
  const endpointHash = hashEndpoint(body.endpoint);
  const device = {
    userId,
    sessionId,
    endpoint: body.endpoint,
    p256dh: body.keys.p256dh.replace(/=+$/, ''),
    auth: body.keys.auth.replace(/=+$/, ''),
    timeZone: body.time_zone ?? null,
  };
  await tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.sessionId, sessionId), ne(pushSubscriptions.endpointHash, endpointHash)));
  await tx
    .insert(pushSubscriptions)
    .values({ ...device, endpointHash, createdAt: now })
    .onConflictDoUpdate({ target: pushSubscriptions.endpointHash, set: device });
}

/** Ends a subscription of the caller. Does nothing if there is none. */
export async function unsubscribe(tx: Db, { userId }: Pick<Device, 'userId'>, endpoint: string): Promise<void> {
  await tx
    .delete(pushSubscriptions)
    .where(and(eq(pushSubscriptions.endpointHash, hashEndpoint(endpoint)), eq(pushSubscriptions.userId, userId)));
}
