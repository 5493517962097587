import { and, count, desc, eq, gt, inArray, isNull, max, ne, sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { queueMail } from '#server/features/mail/queue.ts';
import type { MailJudge } from '#server/features/mail/send.ts';
import { DESK_WAITING } from '#server/features/mail/templates/desk-waiting.ts';
import { isAddressConfirmed } from '#server/platform/access/address-state.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { ageRequests, appeals, audit, mails, reports, restrictions, users } from '#server/platform/db/schema.ts';
import { canAnswer } from './acts/reports.ts';

const HOUR_MS = 60 * 60_000;
/** Nobody gets two of these mails within this time, however much is reported. */
const PAUSE_MS = 6 * HOUR_MS;
/** The same when something new is about somebody under 18. */
const CHILD_PAUSE_MS = HOUR_MS / 2;
/** While something waits, it is told again after this time. People were promised an answer within three days. */
const REMINDER_MS = 24 * HOUR_MS;
/** A mail that is older and still waits has been given up. */
const GIVEN_UP_MS = 48 * HOUR_MS;

type User = typeof users.$inferSelect;

/** What waits for one person at the desk. */
interface Waiting {
  counts: z.infer<typeof DESK_WAITING.params>;
  /** When the newest of it came in, and the newest that is about somebody under 18; null if there is none. */
  newest: Date | null;
  newestAboutChild: Date | null;
}

const worksAtDesk = (user: User): boolean =>
  user.role !== 'person' && user.state === 'active' && isAddressConfirmed(user);

const findNewest = (dates: readonly (Date | null)[]): Date | null =>
  dates.reduce((newest, date) => (date !== null && (newest === null || date > newest) ? date : newest), null);

/** Counts what this person can decide: nothing that they are part of, and dates of birth only if they are an operator. */
async function findWaiting(db: Db, { id, role }: User): Promise<Waiting> {
  const { isAboutChild, createdAt } = reports;
  const [report] = await db
    .select({
      count: count(),
      children: sql<number>`count(*) filter (where ${isAboutChild})`.mapWith(Number),
      newest: max(createdAt),
      newestAboutChild: sql<Date | null>`max(${createdAt}) filter (where ${isAboutChild})`.mapWith(createdAt),
    })
    .from(reports)
    .where(and(eq(reports.state, 'open'), ne(reports.reportedId, id)));
  const open = await db
    .select({ at: appeals.at, userId: restrictions.userId, decidedBy: audit.actorId })
    .from(appeals)
    .innerJoin(restrictions, eq(restrictions.id, appeals.restrictionId))
    .leftJoin(audit, eq(audit.id, restrictions.actId))
    .where(isNull(appeals.answeredAt));
  const answerable: Date[] = [];
  for (const appeal of open) if (await canAnswer(db, id, appeal)) answerable.push(appeal.at);
  const [age] = await db
    .select({ count: count(), newest: max(ageRequests.askedAt) })
    .from(ageRequests)
    .where(and(eq(ageRequests.state, 'open'), sql`${role} = 'operator'`));
  return {
    counts: {
      reports: report?.count ?? 0,
      children: report?.children ?? 0,
      appeals: answerable.length,
      ageRequests: age?.count ?? 0,
    },
    newest: findNewest([report?.newest ?? null, ...answerable, age?.newest ?? null]),
    newestAboutChild: report?.newestAboutChild ?? null,
  };
}

/** The last of these mails to this person that was not dropped; null if there was none for long. */
async function findLastMail(db: Db, userId: number, now: Date) {
  const [last] = await db
    .select({ state: mails.state, createdAt: mails.createdAt })
    .from(mails)
    .where(
      and(
        eq(mails.userId, userId),
        eq(mails.kind, DESK_WAITING.name),
        ne(mails.state, 'dropped'),
        gt(mails.createdAt, new Date(now.getTime() - GIVEN_UP_MS)),
      ),
    )
    .orderBy(desc(mails.id))
    .limit(1);
  return last ?? null;
}

function isDue({ newest, newestAboutChild }: Waiting, last: { state: string; createdAt: Date } | null, now: Date) {
  if (newest === null) return false;
  if (last === null) return true;
  // While the mail server is down, one mail waits and not one for each report.
  if (last.state === 'queued') return false;
  const sinceLastMs = now.getTime() - last.createdAt.getTime();
  const isNew = (date: Date | null) => date !== null && date > last.createdAt;
  if (isNew(newestAboutChild) && sinceLastMs >= CHILD_PAUSE_MS) return true;
  return sinceLastMs >= (isNew(newest) ? PAUSE_MS : REMINDER_MS);
}

/** Mails those who work at the desk what waits there. */
export async function mailDesk({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const workers = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.role, ['moderator', 'operator']), eq(users.state, 'active')));
  for (const { id } of workers) {
    await db.transaction(async (tx) => {
      // Locked, so that two nodes do not both find that a mail is due.
      const [user] = await tx.select().from(users).where(eq(users.id, id)).for('no key update', { skipLocked: true });
      if (user === undefined || !worksAtDesk(user)) return;
      const now = clock.now();
      const waiting = await findWaiting(tx, user);
      if (!isDue(waiting, await findLastMail(tx, id, now), now)) return;
      await queueMail(tx, DESK_WAITING, waiting.counts, { userId: id, address: user.email }, now);
    });
  }
}

/** Judges such a mail when it is sent: it may have waited for a mail server for hours, and others may have done the work. */
export const judgeDeskMailOf =
  (db: Db): MailJudge =>
  async ({ userId, address }) => {
    const [user] = await db.select().from(users).where(eq(users.id, userId));
    if (user === undefined || !worksAtDesk(user)) return { reason: 'not at the desk' };
    if (user.email !== address) return { reason: 'another address' };
    const { counts, newest } = await findWaiting(db, user);
    return newest === null ? { reason: 'nothing left' } : { params: { ...counts } };
  };
