import { and, asc, eq, gt, inArray, isNotNull, lte, max, sql } from 'drizzle-orm';
import type { Clock } from '#server/platform/clock.ts';
import { LOCK_PAIR } from '#server/platform/db/advisory-locks.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { deliveries, mails, notifications, pushSubscriptions, sessions, users } from '#server/platform/db/schema.ts';
import { LAST_SEEN_INTERVAL_MS } from '#server/platform/http/caller.ts';
import { isAddressConfirmed } from '#server/platform/access/address-state.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import type { MailJudge } from '#server/features/mail/send.ts';
import { NEWS } from '#server/features/mail/templates/news.ts';
import type { PushKindName } from '#contract/push-kind-names.ts';
import { judgeAlerts } from './judge.ts';
import { findQuietEnd } from './quiet-hours.ts';
import { completeSettings } from './settings.ts';

/** A person gets at most one of these mails in this time. */
const PAUSE_MS = 60 * 60_000;
/** A mail that is older and still waits has been given up. */
const GIVEN_UP_MS = 48 * 60 * 60_000;
const PEOPLE_PER_STEP = 200;
const NEWS_PER_MAIL = 1000;

type User = typeof users.$inferSelect;

interface News {
  alert: string;
  kind: PushKindName;
}

/**
 * Whether news may be told to this address. An address that was never confirmed may belong to somebody else, and a person under suspension or
 * in removal hears from the desk only.
 */
const isReachable = (user: User): boolean => user.state === 'active' && user.newsMail && isAddressConfirmed(user);

/** How far the pushes of these alerts have come: whether a device took one, or one waits for the end of its quiet hours. */
async function findTold(db: Db, userId: number, alerts: readonly string[]): Promise<Map<string, 'taken' | 'held'>> {
  const rows = await db
    .select({ alert: deliveries.alert, state: deliveries.state })
    .from(deliveries)
    .where(
      and(
        inArray(deliveries.alert, [...alerts]),
        eq(deliveries.userId, userId),
        inArray(deliveries.state, ['sent', 'seen', 'held']),
      ),
    );
  const told = new Map<string, 'taken' | 'held'>();
  for (const { alert, state } of rows) {
    if (state !== 'held') told.set(alert, 'taken');
    else if (!told.has(alert)) told.set(alert, 'held');
  }
  return told;
}

/** When the person last had the app open. Whoever opened it since knows what is new. */
async function findLastSeen(db: Db, userId: number): Promise<Date> {
  const [found] = await db
    .select({ at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(eq(sessions.userId, userId));
  return found?.at ?? new Date(0);
}

/**
 * Finds what of these alerts the person wants to hear and has not heard.
 * @returns what a mail may tell now, and the alerts that a device holds for the end of its quiet hours
 */
async function findUntold(db: Db, user: User, alerts: readonly string[]): Promise<{ news: News[]; held: string[] }> {
  const news: News[] = [];
  const held: string[] = [];
  if (alerts.length === 0 || !isReachable(user)) return { news, held };
  const told = await findTold(db, user.id, alerts);
  const lastSeen = await findLastSeen(db, user.id);
  for (const [alert, verdict] of await judgeAlerts(db, user.id, alerts, completeSettings(user.push))) {
    if ('reason' in verdict || told.get(alert) === 'taken') continue;
    const { kind, createdAt } = verdict;
    if (kind === 'message' && !user.messageMail) continue;
    if (lastSeen.getTime() >= createdAt.getTime() - LAST_SEEN_INTERVAL_MS) continue;
    if (told.get(alert) === 'held') held.push(alert);
    else news.push({ alert, kind });
  }
  return { news, held };
}

/** When the quiet hours end that the person is in, by the clock of the device that subscribed last; null outside of them. */
async function findQuietEndOf(db: Db, { id, push }: User, now: Date): Promise<Date | null> {
  const { quiet } = completeSettings(push);
  if (quiet === null) return null;
  const [device] = await db
    .select({ timeZone: pushSubscriptions.timeZone })
    .from(pushSubscriptions)
    .where(and(eq(pushSubscriptions.userId, id), isNotNull(pushSubscriptions.timeZone)))
    .orderBy(sql`${pushSubscriptions.id} desc`)
    .limit(1);
  return findQuietEnd(now, quiet, device?.timeZone ?? quiet.time_zone ?? null);
}

/** Until when the person gets no further mail about news; null if they may get one now. */
async function findPauseEnd(db: Db, userId: number, now: Date): Promise<Date | null> {
  const [last] = await db
    .select({ state: mails.state, createdAt: mails.createdAt, endedAt: mails.endedAt })
    .from(mails)
    .where(
      and(
        eq(mails.userId, userId),
        eq(mails.kind, NEWS.name),
        inArray(mails.state, ['queued', 'sent']),
        gt(mails.createdAt, new Date(now.getTime() - GIVEN_UP_MS)),
      ),
    )
    .orderBy(sql`${mails.id} desc`)
    .limit(1);
  if (last === undefined) return null;
  // While the mail server is down, one mail waits and not one for each hour.
  if (last.state === 'queued') return now;
  const end = new Date((last.endedAt ?? last.createdAt).getTime() + PAUSE_MS);
  return end > now ? end : null;
}

interface Parts {
  db: Db;
  clock: Clock;
  /** How long a device has to take a push before its news is told by mail. */
  afterMs: number;
}

/** Queues one mail with all that is due for a person, or holds it back. What is not to be told any more waits no longer. */
async function mailNewsOf({ db, clock, afterMs }: Parts, userId: number): Promise<void> {
  const now = clock.now();
  await db.transaction(async (tx) => {
    // The row of the person comes first, as everywhere. A mail refers to it.
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('key share', { skipLocked: true });
    const { rows } = await tx.execute<{ taken: boolean }>(
      sql`select pg_try_advisory_xact_lock(${LOCK_PAIR.news}, hashint8(${userId})) as taken`,
    );
    if (user === undefined || !rows[0]?.taken) return;
    const { id, alert, mailWaitsSince } = notifications;
    const due = await tx
      .select({ id, alert })
      .from(notifications)
      .where(and(eq(notifications.userId, userId), lte(mailWaitsSince, new Date(now.getTime() - afterMs))))
      .orderBy(asc(mailWaitsSince))
      .limit(NEWS_PER_MAIL)
      .for('update', { skipLocked: true });
    if (due.length === 0) return;
    const alerts = due.flatMap((each) => each.alert ?? []);
    const { news, held } = await findUntold(tx, user, alerts);
    const later =
      news.length === 0 ? null : ((await findQuietEndOf(tx, user, now)) ?? (await findPauseEnd(tx, userId, now)));
    const setWait = async (since: Date | null, which: readonly (string | null)[]) => {
      const ids = due.filter((each) => which.includes(each.alert)).map((each) => each.id);
      if (ids.length > 0) await tx.update(notifications).set({ mailWaitsSince: since }).where(inArray(id, ids));
    };
    const told = news.map((each) => each.alert);
    const isLeft = (each: string | null) => each === null || !(held.includes(each) || told.includes(each));
    await setWait(null, due.map((each) => each.alert).filter(isLeft));
    await setWait(now, held);
    await setWait(later, told);
    if (later === null && news.length > 0) await queueMail(tx, NEWS, { news }, { userId, address: user.email }, now);
  });
}

/**
 * Mails people what is new, unread, and reached none of their devices: one mail for all of it. The mail is queued in the transaction that
 * ends the waiting, so nothing is mailed twice and nothing is lost, wherever the process is killed.
 */
export async function mailNews(parts: Parts, signal?: AbortSignal): Promise<void> {
  const { db, clock, afterMs } = parts;
  const { userId, mailWaitsSince } = notifications;
  for (let last = 0; ;) {
    const people = await db
      .selectDistinct({ userId })
      .from(notifications)
      .where(and(gt(userId, last), lte(mailWaitsSince, new Date(clock.now().getTime() - afterMs))))
      .orderBy(asc(userId))
      .limit(PEOPLE_PER_STEP);
    for (const each of people) {
      if (signal?.aborted) return;
      await mailNewsOf(parts, each.userId);
    }
    if (people.length < PEOPLE_PER_STEP) return;
    last = people.at(-1)?.userId ?? last;
  }
}

/** Judges a mail about news when it is sent: it may have waited for a mail server for hours. */
export const judgeNewsOf =
  (db: Db): MailJudge =>
  async ({ userId, address, params }, now) => {
    const [user] = await db.select().from(users).where(eq(users.id, userId));
    if (user?.email !== address) return { reason: 'another address' };
    const alerts = NEWS.params.parse(params).news.map(({ alert }) => alert);
    const { news } = await findUntold(db, user, alerts);
    if (news.length === 0) return { reason: 'nothing left' };
    const quietUntil = await findQuietEndOf(db, user, now);
    return quietUntil === null ? { params: { news } } : { waitMs: quietUntil.getTime() - now.getTime() };
  };
