import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { PushHop, PushTestRecord } from '#contract/records/push.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { deliveries } from '#server/platform/db/schema.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { addDeliveries } from './queue.ts';
import { findSubscription } from './subscriptions.ts';

const hop = (name: PushHop['hop'], ok: boolean | null, words: string): PushHop => ({ hop: name, ok, words });

const SUBSCRIBED = hop('subscription', true, 'This device is known to our server.');
const QUEUED = hop('our server', true, 'Our server has taken the test.');
const UNKNOWN_SERVICE = hop('push service', null, 'Waiting for the push service.');
const UNKNOWN_ARRIVAL = hop('arrived', null, 'Waiting for the test to arrive.');

/** Begins a test of the way to the caller's device. @param isSetUp whether this server sends pushes at all */
export async function beginTest(
  tx: Db,
  caller: Pick<Caller, 'userId' | 'sessionId'>,
  isSetUp: boolean,
  now: Date,
): Promise<PushTestRecord> {
  if (!isSetUp)
    return { id: null, hops: [hop('our server', false, 'This Callboard is not set up to send notifications.')] };
  const subscription = await findSubscription(tx, caller);
  if (subscription === null) {
    const words = 'This device is not known to our server. Turn notifications off and on again.';
    return { id: null, hops: [hop('subscription', false, words)] };
  }
  const id = randomUUID();
  await addDeliveries(tx, [{ alert: id, subscriptionId: subscription.id, userId: caller.userId, kind: 'test' }], now);
  return { id, hops: [SUBSCRIBED, QUEUED, UNKNOWN_SERVICE, UNKNOWN_ARRIVAL] };
}

function describeFailure(code: string | null): string {
  switch (code ?? 'none') {
    case '404':
    case '410':
      return 'The push service no longer knows this device. Turn notifications off and on again.';
    case '400':
    case '401':
    case '403':
      return 'The push service refuses this Callboard. Its operator has to look at it.';
    case '429':
      return 'The push service has too much to do. Try again in a few minutes.';
    case 'signed out':
      return 'This device was signed out.';
    default:
      return 'The push service could not be reached. Try again in a few minutes.';
  }
}

/** How far a test of the caller has come; null if there is no such test. */
export async function readTest(db: Db, userId: number, id: string): Promise<PushTestRecord | null> {
  const [found] = await db
    .select({ state: deliveries.state, code: deliveries.code })
    .from(deliveries)
    .where(and(eq(deliveries.alert, id), eq(deliveries.userId, userId), eq(deliveries.kind, 'test')));
  if (found === undefined) return null;
  const { state, code } = found;
  const isTaken = state === 'sent' || state === 'seen';
  const taken = hop('push service', true, 'The push service has taken it.');
  const refused = hop('push service', false, describeFailure(code));
  const service = isTaken ? taken : state === 'dropped' ? refused : UNKNOWN_SERVICE;
  const arrival = state === 'seen' ? hop('arrived', true, 'It has arrived on this device.') : UNKNOWN_ARRIVAL;
  return { id, hops: [SUBSCRIBED, QUEUED, service, ...(state === 'dropped' ? [] : [arrival])] };
}
