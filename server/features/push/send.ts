import { and, eq, inArray, sql } from 'drizzle-orm';
import { PUSH_KINDS } from '#contract/push-kinds.ts';
import type { PushSettings } from '#contract/records/push.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { deliveries, pushSubscriptions } from '#server/platform/db/schema.ts';
import { JobError } from '#server/platform/jobs/failure.ts';
import type { JobRun } from '#server/platform/jobs/handlers.ts';
import type { Log } from '#server/platform/log.ts';
import type { Metrics } from '#server/platform/metrics/metrics.ts';
import { composeOne, composeSummary, composeTest, MAX_PAYLOAD_BYTES, toTopic, type Announced } from './compose.ts';
import { countForBadge, findLiveSubscription, judgeAlerts, type SubscriptionRow } from './judge.ts';
import { holdDelivery } from './hold.ts';
import { findQuietEnd } from './quiet-hours.ts';
import { queueSend, SEND_PUSH } from './queue.ts';
import type { OutgoingPush, PushAnswer, PushSender } from './service.ts';
import { getPushSettings } from './settings.ts';

export interface PushParts {
  db: Db;
  clock: Clock;
  log: Pick<Log, 'error'> | undefined;
  metrics: Pick<Metrics, 'pushes'>;
  /** Null when this server sends no pushes. */
  sender: PushSender | null;
  /** Address of this Callboard, for what a tap opens. */
  home: string;
}

export type DeliveryRow = typeof deliveries.$inferSelect;

const HOUR_MS = 3_600_000;
const SUMMARY_TTL_S = 12 * 3600;
const TEST_TTL_S = 120;
/** A refusal of our keys concerns every push. They wait for the operator, as long as they are worth something. */
const REFUSED_RETRY_MS = 30 * 60_000;
const LIMITED_RETRY_S = 60;
const REFUSED = new Set([400, 401, 403]);
const GONE = new Set([404, 410]);

interface Ready extends Omit<OutgoingPush, 'topic'> {
  /** The pushes of quiet hours that a summary includes. */
  members: string[];
}

type Result = 'sent' | 'dropped' | 'gone' | 'held' | 'limited' | 'refused' | 'failed';

/** When the operator was last told that our keys are refused, by this process. */
let refusalLoggedAt = -Infinity;

async function endDeliveries(
  { db, clock }: PushParts,
  { subscriptionId }: DeliveryRow,
  alerts: readonly string[],
  state: 'sent' | 'dropped',
  code: string | null,
): Promise<void> {
  if (alerts.length === 0) return;
  await db
    .update(deliveries)
    .set({ state, code, at: clock.now() })
    .where(
      and(
        inArray(deliveries.alert, [...alerts]),
        eq(deliveries.subscriptionId, subscriptionId),
        // The device may already have said that it has shown it.
        inArray(deliveries.state, ['queued', 'held']),
      ),
    );
}

/** Judges what a push announces, drops what nobody wants any more, and composes the rest. @returns null if nothing is left */
async function prepare(parts: PushParts, delivery: DeliveryRow, settings: PushSettings): Promise<Ready | null> {
  const { db, home } = parts;
  const { alert, userId, kind } = delivery;
  const envelope = { userId, alert, home, badge: await countForBadge(db, userId), settings };
  if (kind === 'test') return { payload: composeTest(envelope), ttlS: TEST_TTL_S, urgency: 'high', members: [] };
  const gathered =
    kind === 'summary'
      ? await db
          .select({ alert: deliveries.alert })
          .from(deliveries)
          .where(and(eq(deliveries.gatheredIn, alert), eq(deliveries.subscriptionId, delivery.subscriptionId)))
      : [delivery];
  const alerts = gathered.map((each) => each.alert);
  const announced: Announced[] = [];
  for (const [each, verdict] of await judgeAlerts(db, userId, alerts, settings)) {
    if ('reason' in verdict) await endDeliveries(parts, delivery, [each], 'dropped', verdict.reason);
    else announced.push(verdict);
  }
  const [first] = announced;
  if (first === undefined) return null;
  const { urgency, ttlS } = PUSH_KINDS[first.kind];
  if (kind === 'notification') return { payload: composeOne(first, envelope), ttlS, urgency, members: [] };
  const payload = announced.length === 1 ? composeOne(first, envelope) : composeSummary(announced, envelope);
  return { payload, ttlS: SUMMARY_TTL_S, urgency: 'normal', members: alerts };
}

/** Records what the push service answered for the subscription, and for the operator. */
async function recordAttempt({ db, clock }: PushParts, { id }: SubscriptionRow, code: string | null): Promise<void> {
  const { failures } = pushSubscriptions;
  await db
    .update(pushSubscriptions)
    .set(
      code === null
        ? { lastOkAt: clock.now(), failures: 0, lastCode: null }
        : { failures: sql`${failures} + 1`, lastCode: code },
    )
    .where(eq(pushSubscriptions.id, id));
}

function reportRefusal({ clock, log }: PushParts, status: number): void {
  const now = clock.now().getTime();
  if (now - refusalLoggedAt < HOUR_MS) return;
  refusalLoggedAt = now;
  log?.error({ status }, 'a push service refuses the keys of this server: check PUSH_SUBJECT');
}

/** Acts on the answer of the push service. @throws JobError when the push is tried again with growing pauses */
async function settleAnswer(
  parts: PushParts,
  delivery: DeliveryRow,
  subscription: SubscriptionRow,
  answer: PushAnswer,
  { attempt, members }: { attempt: number; members: string[] },
): Promise<Result> {
  const { db, log } = parts;
  const { alert, subscriptionId } = delivery;
  const isOk = answer.status !== null && answer.status >= 200 && answer.status < 300;
  const code = answer.status === null ? answer.code : String(answer.status);
  const alerts = [alert, ...members];
  if (isOk) {
    await endDeliveries(parts, delivery, alerts, 'sent', code);
    await recordAttempt(parts, subscription, null);
    return 'sent';
  }
  const retryAfter = async (delayMs: number) => {
    await db.transaction(async (tx) => {
      await tx
        .update(deliveries)
        .set({ code })
        .where(and(eq(deliveries.alert, alert), eq(deliveries.subscriptionId, subscriptionId)));
      await queueSend(tx, alert, subscriptionId, delayMs);
    });
  };
  if (answer.status !== null && GONE.has(answer.status)) {
    await endDeliveries(parts, delivery, alerts, 'dropped', code);
    await db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, subscriptionId));
    return 'gone';
  }
  await recordAttempt(parts, subscription, code);
  if (answer.status === 429) {
    if (delivery.kind === 'test') await endDeliveries(parts, delivery, alerts, 'dropped', code);
    else await retryAfter((answer.retryAfterS ?? LIMITED_RETRY_S) * 1000);
    return 'limited';
  }
  if (answer.status !== null && REFUSED.has(answer.status)) {
    reportRefusal(parts, answer.status);
    if (delivery.kind === 'test') await endDeliveries(parts, delivery, alerts, 'dropped', code);
    else await retryAfter(REFUSED_RETRY_MS);
    return 'refused';
  }
  const isTemporary = answer.status === null ? answer.code !== 'host' : answer.status >= 500;
  const isLast = attempt >= SEND_PUSH.tries || delivery.kind === 'test';
  if (isTemporary && !isLast) {
    await db
      .update(deliveries)
      .set({ code })
      .where(and(eq(deliveries.alert, alert), eq(deliveries.subscriptionId, subscriptionId)));
    parts.metrics.pushes.inc({ result: 'failed' });
    throw new JobError(code, 'the push service');
  }
  if (answer.status === 413) log?.error({ kind: delivery.kind }, 'a push is too large for its service');
  await endDeliveries(parts, delivery, alerts, 'dropped', code);
  return isTemporary ? 'failed' : 'dropped';
}

/**
 * Sends a push to a device, unless it is no longer wanted. What it announces is judged now, because much may have happened since it was
 * queued. A push is sent twice only if the process is killed between the answer and the commit; both then have the same topic, and the device
 * shows one. No transaction stays open while it talks to the push service.
 */
export async function sendPush(
  parts: PushParts,
  { alert, subscription: subscriptionId }: { alert: string; subscription: number },
  { attempt }: Pick<JobRun, 'attempt'>,
): Promise<void> {
  const { db, clock, sender, metrics } = parts;
  const now = clock.now();
  const [delivery] = await db
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.alert, alert), eq(deliveries.subscriptionId, subscriptionId)));
  if (delivery?.state !== 'queued') return;
  const end = async (result: Result, reason?: string, members: readonly string[] = []) => {
    if (reason !== undefined) await endDeliveries(parts, delivery, [alert, ...members], 'dropped', reason);
    metrics.pushes.inc({ result });
  };
  if (sender === null) return end('dropped', 'not set up');
  const subscription = await findLiveSubscription(db, delivery, now);
  if (subscription === null) return end('dropped', 'signed out');
  const settings = await getPushSettings(db, delivery.userId);
  const ready = await prepare(parts, delivery, settings);
  if (ready === null) return end('dropped', 'nothing left');
  const quietUntil = delivery.kind === 'test' ? null : findQuietEnd(now, settings.quiet, subscription.timeZone);
  if (quietUntil !== null) {
    await holdDelivery(db, delivery, quietUntil, now);
    return end('held');
  }
  const ttlS = ready.ttlS - Math.floor((now.getTime() - delivery.dueAt.getTime()) / 1000);
  if (ttlS <= 0) return end('dropped', 'expired', ready.members);
  if (Buffer.byteLength(ready.payload) > MAX_PAYLOAD_BYTES) return end('dropped', 'too large', ready.members);
  const { members, ...push } = ready;
  const answer = await sender.send(subscription, { ...push, ttlS, topic: toTopic(alert) });
  await end(await settleAnswer(parts, delivery, subscription, answer, { attempt, members }));
}
