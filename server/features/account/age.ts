import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { ADULT_AGE, needsAgeCheck } from '#contract/age.ts';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import { userRecord } from '#contract/records/account.ts';
import { bornOnBody } from '#contract/records/consent.ts';
import { findGuardian } from '#server/platform/access/guardians.ts';
import { findYouth, isMinorBy } from '#server/platform/access/minors.ts';
import { protect, updateWithholding } from '#server/platform/access/withholding.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { profiles, users } from '#server/platform/db/schema.ts';
import { conflict, invalid, notFound, unprocessable } from '#server/platform/http/errors.ts';
import { requireFreshSignIn } from '#server/platform/http/fresh-sign-in.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { messageOnly, withRecord } from '#server/platform/http/schemas.ts';
import { endLinks } from '#server/features/mail/links.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { AGE_TURNED, AGE_TURNED_GUARDIAN } from '#server/features/mail/templates/age-turned.ts';
import { addAgeRequest, isAgeDecided, isAgeRequestOpen, withdrawAgeRequest } from './age-requests.ts';
import { askGuardian } from './guardian.ts';
import { lockUser, presentUser } from './store.ts';

/** @throws 422 naming `born_on` if the day has not come yet */
export function requirePastDay(bornOn: string, now: Date): void {
  if (bornOn > now.toISOString().slice(0, 10)) throw invalid({ born_on: ['Enter a real date'] });
}

type UserRow = typeof users.$inferSelect;

/**
 * Stores a date of birth, and protects the person or ends the protection. The caller holds the lock of the person.
 * @param isMinor whether the person is protected from now on
 */
export async function changeBornOn(
  tx: Db,
  changes: ChangeLog,
  user: Pick<UserRow, 'id' | 'isMinor'>,
  { bornOn, isMinor }: { bornOn: string; isMinor: boolean },
  now: Date,
): Promise<void> {
  // They come of age by the new date, whatever they were told before.
  const ofAge = isMinorBy(bornOn, now) ? { ofAgeToldAt: null } : {};
  await tx
    .update(users)
    .set({ bornOn, isMinor, ...ofAge })
    .where(eq(users.id, user.id));
  if (user.isMinor && !isMinor) await endLinks(tx, user.id, 'guardian');
  if (!user.isMinor && isMinor) {
    // What somebody said when they were a guardian before, no longer counts: the links with which they could withdraw have ended.
    const guardian = await findGuardian(tx, user.id);
    if (guardian !== null) await askGuardian(tx, user.id, guardian.email, now);
  }
  await updateWithholding(tx, changes, user.id);
}

/** The caller's date of birth, and coming of age. */
export function ageRoutes(app: FastifyInstance): void {
  const present = async (tx: Db, userId: number, now: Date) =>
    presentUser(tx, { ...(await lockUser(tx, userId)), userId }, now);

  writeRoute(app, {
    endpoint: CONSENT_CALLS.setBornOn,
    summary: 'Says when the caller was born, or corrects it; the desk first checks what makes somebody under 18 older',
    access: requiredAccount(),
    body: bornOnBody,
    responses: { 200: withRecord(userRecord), 202: withRecord(userRecord) },
    handler: async ({ body, caller, db, changes, now, request }) => {
      const { born_on: bornOn } = body;
      const { userId } = caller;
      requirePastDay(bornOn, now);
      const user = await lockUser(db, userId);
      if (user.bornOn !== null && needsAgeCheck(user.bornOn, bornOn, now)) {
        const asked = { userId, wanted: bornOn, bornOn: user.bornOn, reason: body.reason?.trim() || null };
        if (!(await isAgeRequestOpen(db, asked))) {
          await app.deps.sharedLimiter.take(LIMIT.ageRequests, String(userId));
          const { id } = await addAgeRequest(db, asked, now);
          request.log.info({ age_request: id }, 'a date of birth waits for the desk');
        }
        const message = 'Thank you. A person checks this. Until then, nothing changes';
        return { status: 202, body: { message, data: await present(db, userId, now) } };
      }
      // Who has come of age since stays protected until they say otherwise.
      const isMinor = isMinorBy(bornOn, now) || (user.bornOn !== null && user.isMinor);
      // It hides the page, and only the desk can take it back.
      if (user.bornOn !== null && isMinor && !user.isMinor) requireFreshSignIn(caller, now);
      await withdrawAgeRequest(db, userId, now);
      await changeBornOn(db, changes, user, { bornOn, isMinor }, now);
      return ok({ message: 'Thank you', data: await present(db, userId, now) });
    },
  });

  writeRoute(app, {
    endpoint: CONSENT_CALLS.withdrawBornOn,
    summary: 'Takes back the caller’s request to correct the date of birth',
    access: requiredAccount(),
    responses: { 200: messageOnly },
    handler: async ({ caller, db, now }) => {
      await lockUser(db, caller.userId);
      if (!(await withdrawAgeRequest(db, caller.userId, now))) {
        throw (await isAgeDecided(db, caller.userId))
          ? conflict('We have decided this meanwhile')
          : notFound('request');
      }
      return ok({ message: 'Taken back. Your date of birth stays as it is' });
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
      await withdrawAgeRequest(db, caller.userId, now);
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
