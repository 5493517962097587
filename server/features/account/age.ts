import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { ADULT_AGE } from '#contract/age.ts';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import { userRecord } from '#contract/records/account.ts';
import { bornOnBody } from '#contract/records/consent.ts';
import { findGuardian } from '#server/platform/access/guardians.ts';
import { findYouth, isMinorBy } from '#server/platform/access/minors.ts';
import { protect, updateWithholding } from '#server/platform/access/withholding.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { profiles, users } from '#server/platform/db/schema.ts';
import { invalid, unprocessable } from '#server/platform/http/errors.ts';
import { ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { endLinks } from '#server/features/mail/links.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { AGE_TURNED, AGE_TURNED_GUARDIAN } from '#server/features/mail/templates/age-turned.ts';
import { lockUser, presentUser } from './store.ts';

/** @throws 422 naming `born_on` if the day has not come yet */
export function requirePastDay(bornOn: string, now: Date): void {
  if (bornOn > now.toISOString().slice(0, 10)) throw invalid({ born_on: ['Enter a real date'] });
}

/** The caller's date of birth, and coming of age. */
export function ageRoutes(app: FastifyInstance): void {
  const present = async (tx: Db, userId: number, now: Date) =>
    presentUser(tx, { ...(await lockUser(tx, userId)), userId }, now);

  writeRoute(app, {
    endpoint: CONSENT_CALLS.setBornOn,
    summary: 'Says when the caller was born; later only a slip can be corrected',
    access: requiredAccount(),
    body: bornOnBody,
    responses: { 200: withRecord(userRecord) },
    handler: async ({ body, caller, db, changes, now }) => {
      const { born_on: bornOn } = body;
      requirePastDay(bornOn, now);
      const { bornOn: before } = await lockUser(db, caller.userId);
      const isMinor = isMinorBy(bornOn, now);
      if (before !== null && isMinorBy(before, now) !== isMinor) {
        const text = 'You gave another date before. To change it, write to the people who run this Callboard';
        throw invalid({ born_on: [text] });
      }
      // Who has come of age since stays protected until they say otherwise.
      const isFirst = before === null;
      await db
        .update(users)
        .set({ bornOn, ...(isFirst && { isMinor }) })
        .where(eq(users.id, caller.userId));
      await updateWithholding(db, changes, caller.userId);
      return ok({ message: 'Thank you', data: await present(db, caller.userId, now) });
    },
  });

  writeRoute(app, {
    endpoint: CONSENT_CALLS.comeOfAge,
    summary: 'Ends the protection of somebody who has come of age, as they wish',
    access: requiredAccount(),
    responses: { 200: withRecord(userRecord) },
    handler: async ({ caller, db, changes, now }) => {
      const { bornOn, isMinor } = await lockUser(db, caller.userId);
      if (isMinor && isMinorBy(bornOn, now)) throw unprocessable('You can do this from your 18th birthday on');
      await db.update(users).set({ isMinor: false }).where(eq(users.id, caller.userId));
      await endLinks(db, caller.userId, 'guardian');
      await updateWithholding(db, changes, caller.userId);
      return ok({ message: 'Done', data: await present(db, caller.userId, now) });
    },
  });
}

const BATCH_SIZE = 100;

/** The last day on which somebody was born who is 18 now. No year is a leap year 18 years after another. */
const getLatestAdult = (now: Date): string =>
  `${now.getUTCFullYear() - ADULT_AGE}${now.toISOString().slice(4, 10)}`.replace('-02-29', '-02-28');

/** Tells people who have come of age, and their guardians, that they may open up. Nothing opens by itself. */
export async function tellOfAge(db: Db, now: Date): Promise<void> {
  for (let count = BATCH_SIZE; count === BATCH_SIZE;) {
    count = await db.transaction(async (tx) => {
      const due = await tx
        .select({ userId: users.id, email: users.email })
        .from(users)
        .where(and(eq(users.isMinor, true), isNull(users.ofAgeToldAt), lte(users.bornOn, getLatestAdult(now))))
        .limit(BATCH_SIZE)
        .for('update', { skipLocked: true });
      for (const { userId, email } of due) {
        await tx.update(users).set({ ofAgeToldAt: now }).where(eq(users.id, userId));
        await queueMail(tx, AGE_TURNED, {}, { userId, address: email }, now);
        const guardian = await findGuardian(tx, userId);
        if (guardian === null || guardian.email === email) continue;
        await queueMail(tx, AGE_TURNED_GUARDIAN, {}, { userId, address: guardian.email }, now);
      }
      return due.length;
    });
  }
}

/**
 * Protects people with accounts from before the app asked for a date of birth, whose profiles say that they are under 18. Finds nobody
 * once it has run, unless a server of an earlier release still writes to the database.
 */
export async function protectKnownMinors(db: Db, now: Date): Promise<void> {
  const found = await db
    .selectDistinct({ userId: users.id })
    .from(profiles)
    .innerJoin(users, eq(users.id, profiles.userId))
    .where(and(isNull(users.bornOn), gt(profiles.dob, getLatestAdult(now))));
  for (const { userId } of found) {
    await db.transaction(async (tx) => {
      // The account may be deleted at this moment.
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
      const youth = await findYouth(tx, userId, now);
      if (youth === null) return;
      const changes = new ChangeLog();
      await protect(tx, changes, userId, youth);
      await changes.flush(tx, now);
    });
  }
}
