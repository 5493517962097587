import { and, eq, sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { PUSH_KINDS } from '#contract/push-kinds.ts';
import type { NotificationType } from '#contract/records/notifications.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { deliveries, notifications, pushSubscriptions, users } from '#server/platform/db/schema.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { defineJob } from '#server/platform/jobs/kinds.ts';

/** Finds the devices that a notification concerns. */
export const FAN_OUT_PUSH = defineJob({ name: 'push.fan_out', payload: z.object({ alert: z.uuid() }), tries: 8 });

/** Sends one push to one device. */
export const SEND_PUSH = defineJob({
  name: 'push.send',
  payload: z.object({ alert: z.uuid(), subscription: z.int() }),
  tries: 10,
});

/** Gathers the pushes that a device has been spared during quiet hours. */
export const RELEASE_PUSHES = defineJob({
  name: 'push.release',
  payload: z.object({ subscription: z.int() }),
  tries: 8,
});

/** How a person can be told of something while the app is closed. */
export interface Ways {
  hasDevice: boolean;
  /** Whether it is told by mail too, if no device takes it. */
  isMailed: boolean;
}

const IN_APP_ONLY: Ways = { hasDevice: false, isMailed: false };

/** Finds how a person can be told of this. People who are told in the app only cost this one lookup. */
export async function findWays(tx: Db, userId: number, type: NotificationType): Promise<Ways> {
  if (!Object.values(PUSH_KINDS).some(({ notification }) => notification === type)) return IN_APP_ONLY;
  const isWanted = type === PUSH_KINDS.message.notification ? and(users.newsMail, users.messageMail) : users.newsMail;
  const [found] = await tx
    .select({
      isMailed: sql<boolean>`${isWanted}`,
      // With the id itself: a column of `users` would be read as one of the inner table.
      hasDevice: sql<boolean>`exists (select from ${pushSubscriptions} where ${pushSubscriptions.userId} = ${userId})`,
    })
    .from(users)
    .where(eq(users.id, userId));
  return found ?? IN_APP_ONLY;
}

/** Queues the pushes about a notification, in the transaction that writes it. */
export async function queuePushes(tx: Db, { alert }: { alert: string | null }): Promise<void> {
  if (alert !== null) await addJob(tx, FAN_OUT_PUSH, { alert });
}

/** Adds the job that sends a push. Repeated, it is one job. @param delayMs how long it waits */
export async function queueSend(tx: Db, alert: string, subscription: number, delayMs = 0): Promise<void> {
  const key = `push:${alert}:${subscription}`;
  await addJob(tx, SEND_PUSH, { alert, subscription }, { key, delayMs });
}

type NewDelivery = Pick<typeof deliveries.$inferInsert, 'alert' | 'subscriptionId' | 'userId' | 'kind'>;

/** Records pushes and adds their jobs. A push that is known already is left alone. */
export async function addDeliveries(tx: Db, added: readonly NewDelivery[], now: Date): Promise<void> {
  if (added.length === 0) return;
  const rows = await tx
    .insert(deliveries)
    .values(added.map((each) => ({ ...each, state: 'queued' as const, dueAt: now, at: now })))
    .onConflictDoNothing()
    .returning({ alert: deliveries.alert, subscriptionId: deliveries.subscriptionId });
  for (const { alert, subscriptionId } of rows) await queueSend(tx, alert, subscriptionId);
}

/** Queues a push to each device of the person whom the notification is for. */
export async function fanOutPush(db: Db, alert: string, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const devices = await tx
      .select({ subscriptionId: pushSubscriptions.id, userId: pushSubscriptions.userId })
      .from(notifications)
      .innerJoin(pushSubscriptions, eq(pushSubscriptions.userId, notifications.userId))
      .where(eq(notifications.alert, alert));
    await addDeliveries(
      tx,
      devices.map((device) => ({ ...device, alert, kind: 'notification' as const })),
      now,
    );
  });
}
