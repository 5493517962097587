import { and, eq, inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { PUSH_CALLS } from '#contract/push-calls.ts';
import {
  pushesSeenBody,
  pushRecord,
  pushTestRecord,
  subscribeBody,
  unsubscribeBody,
  type SubscribeBody,
} from '#contract/records/push.ts';
import { deliveries } from '#server/platform/db/schema.ts';
import { invalid, notFound, unprocessable } from '#server/platform/http/errors.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { ok } from '#server/platform/http/response.ts';
import { readRoute, requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { messageOnly } from '#server/platform/http/schemas.ts';
import { isAllowedEndpoint, isUsableKey } from './endpoint.ts';
import { getVapidKeys } from './keys.ts';
import { getPushSettings } from './settings.ts';
import { findSubscription, subscribe, unsubscribe } from './subscriptions.ts';
import { beginTest, readTest } from './test-push.ts';

/** @throws 422 naming what cannot be used */
function requireUsable({ endpoint, keys }: SubscribeBody, hosts: readonly string[]): void {
  if (!isAllowedEndpoint(endpoint, hosts)) throw invalid({ endpoint: ['This push service is not supported'] });
  if (!isUsableKey(keys.p256dh)) throw invalid({ 'keys.p256dh': ['Send the keys of the subscription'] });
}

function subscriptionRoutes(app: FastifyInstance): void {
  const { push } = app.deps.config;
  readRoute(app, {
    endpoint: PUSH_CALLS.push,
    summary: 'Which pushes the caller wants, and whether this device receives them',
    access: requiredAccount(),
    responses: { 200: pushRecord },
    handler: async ({ caller, db }) =>
      ok({
        public_key: push === undefined ? null : (await getVapidKeys(db)).publicKey,
        settings: await getPushSettings(db, caller.userId),
        subscribed: (await findSubscription(db, caller)) !== null,
      }),
  });

  writeRoute(app, {
    endpoint: PUSH_CALLS.subscribe,
    summary: 'Sends pushes to this device from now on',
    access: requiredAccount(),
    body: subscribeBody,
    responses: { 200: messageOnly },
    handler: async ({ body, caller, db, now }) => {
      if (push === undefined) throw unprocessable('This Callboard is not set up to send notifications');
      requireUsable(body, push.hosts);
      await subscribe(db, caller, body, now);
      return ok({ message: 'Notifications are on' });
    },
  });

  writeRoute(app, {
    endpoint: PUSH_CALLS.unsubscribe,
    summary: 'Sends no more pushes to this device',
    access: requiredAccount(),
    body: unsubscribeBody,
    responses: { 200: messageOnly },
    handler: async ({ body, caller, db }) => {
      await unsubscribe(db, caller, body.endpoint);
      return ok({ message: 'Notifications are off' });
    },
  });
}

/** Pushes: which a person wants, on which devices, and whether they arrive. */
export function pushRoutes(app: FastifyInstance): void {
  subscriptionRoutes(app);

  writeRoute(app, {
    endpoint: PUSH_CALLS.pushesSeen,
    summary: 'Says that this device has shown these pushes',
    access: requiredAccount(),
    body: pushesSeenBody,
    responses: { 204: null },
    handler: async ({ body, caller, db, now }) => {
      const device = await findSubscription(db, caller);
      if (device !== null && body.ids.length > 0) {
        await db
          .update(deliveries)
          .set({ state: 'seen', at: now })
          .where(and(inArray(deliveries.alert, body.ids), eq(deliveries.subscriptionId, device.id)));
      }
      return { status: 204, body: undefined };
    },
  });

  writeRoute(app, {
    endpoint: PUSH_CALLS.testPush,
    summary: 'Sends a push to this device, to find where the way to it is broken',
    access: requiredAccount(),
    responses: { 200: pushTestRecord },
    handler: async ({ caller, db, now }) => {
      app.deps.limiter.take(LIMIT.pushTests, `user ${caller.userId}`);
      return ok(await beginTest(db, caller, app.deps.config.push !== undefined, now));
    },
  });

  readRoute(app, {
    endpoint: PUSH_CALLS.pushTest,
    summary: 'How far a test has come',
    access: requiredAccount(),
    params: z.object({ id: z.string() }),
    responses: { 200: pushTestRecord },
    handler: async ({ caller, db, params }) => {
      const found = z.safeParse(z.uuid(), params.id).success ? await readTest(db, caller.userId, params.id) : null;
      if (found === null) throw notFound('test');
      return ok(found);
    },
  });
}
