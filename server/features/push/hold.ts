import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { deliveries } from '#server/platform/db/schema.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { addDeliveries, queueSend, RELEASE_PUSHES } from './queue.ts';

type DeliveryRow = typeof deliveries.$inferSelect;

/** Keeps a push until quiet hours end. A summary is taken apart, so that it can be gathered anew with what comes until then. */
export async function holdDelivery(db: Db, delivery: DeliveryRow, until: Date, now: Date): Promise<void> {
  const { alert, subscriptionId, kind } = delivery;
  const isSame = eq(deliveries.subscriptionId, subscriptionId);
  await db.transaction(async (tx) => {
    const held = { state: 'held' as const, gatheredIn: null, at: now };
    if (kind === 'summary') {
      await tx
        .update(deliveries)
        .set(held)
        .where(and(eq(deliveries.gatheredIn, alert), isSame, eq(deliveries.state, 'queued')));
      await tx.delete(deliveries).where(and(eq(deliveries.alert, alert), isSame));
    } else {
      await tx
        .update(deliveries)
        .set(held)
        .where(and(eq(deliveries.alert, alert), isSame, eq(deliveries.state, 'queued')));
    }
    const key = `push.release:${subscriptionId}`;
    await addJob(
      tx,
      RELEASE_PUSHES,
      { subscription: subscriptionId },
      { key, delayMs: until.getTime() - now.getTime() },
    );
  });
}

/** Sends what was held for a device at the end of quiet hours: one push, also for several. */
export async function releasePushes(db: Db, subscription: number, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const isHeld = and(eq(deliveries.subscriptionId, subscription), eq(deliveries.state, 'held'));
    const held = await tx.select().from(deliveries).where(isHeld).for('update');
    const [first] = held;
    if (first === undefined) return;
    if (held.length === 1) {
      await tx.update(deliveries).set({ state: 'queued', dueAt: now, at: now }).where(isHeld);
      await queueSend(tx, first.alert, subscription);
      return;
    }
    const summary = randomUUID();
    await tx.update(deliveries).set({ state: 'queued', gatheredIn: summary, at: now }).where(isHeld);
    await addDeliveries(
      tx,
      [{ alert: summary, subscriptionId: subscription, userId: first.userId, kind: 'summary' }],
      now,
    );
  });
}
