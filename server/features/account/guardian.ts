import { and, eq, lte, or } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { isYounger } from '#contract/age.ts';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import { getCurrentVersion, getCurrentVersions } from '#contract/legal.ts';
import { decideBody, guardianBody, guardianRecord, type Guardian } from '#contract/records/consent.ts';
import { findGuardian, type GuardianRow } from '#server/platform/access/guardians.ts';
import { updateWithholding } from '#server/platform/access/withholding.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { guardians, users } from '#server/platform/db/schema.ts';
import { invalid, unprocessable } from '#server/platform/http/errors.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import { ok } from '#server/platform/http/response.ts';
import { actionRoute, publicAccess, requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { messageOnly, withRecord } from '#server/platform/http/schemas.ts';
import type { WriteTransaction } from '#server/platform/http/write.ts';
import { brokenLink, endLinks, findLink, spendLink } from '#server/features/mail/links.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { GUARDIAN_ASK, GUARDIAN_REMIND } from '#server/features/mail/templates/guardian-ask.ts';
import { GUARDIAN_DONE, GUARDIAN_TOLD } from '#server/features/mail/templates/guardian-done.ts';
import { recordConsents } from './consents.ts';
import { lockUser } from './store.ts';
import { runUnrecordedWrite } from './unrecorded-write.ts';

export const presentGuardian = ({ email, state }: GuardianRow): Guardian => ({ email, state });

interface Child {
  email: string;
  /** Null if not known. */
  bornOn: string | null;
}

/**
 * Checks the address of a guardian. A young child cannot have an account of its own: its address is the guardian's. Anybody older would
 * only ask themselves that way.
 * @throws 422 naming `field`
 */
export function requireGuardianAddress(child: Child, address: string, minAge: number, field: string, now: Date): void {
  const isOwn = address === child.email;
  const isYoung = child.bornOn !== null && isYounger(child.bornOn, minAge, now);
  if (isOwn === isYoung) return;
  const text = isYoung
    ? `Under ${minAge}, the account itself needs the e-mail of your parent or guardian. Use theirs in both places`
    : 'Use the e-mail of your parent or guardian, not your own';
  throw invalid({ [field]: [text] });
}

/** Names the guardian of a minor and asks them. Links that were sent to somebody named before no longer work. */
export async function askGuardian(tx: Db, userId: number, email: string, now: Date): Promise<GuardianRow> {
  const asked = { email, state: 'asked' as const, askedAt: now, decidedAt: null, terms: null, reminded: 0 };
  const [row] = await tx
    .insert(guardians)
    .values({ userId, ...asked })
    .onConflictDoUpdate({ target: guardians.userId, set: asked })
    .returning();
  await endLinks(tx, userId, 'guardian');
  await queueMail(tx, GUARDIAN_ASK, {}, { userId, address: email }, now);
  return row!;
}

/** What the guardian's answer makes of the state. Who agreed before withdraws. */
function getNextState(before: GuardianRow['state'], agree: boolean): GuardianRow['state'] {
  if (agree) return 'agreed';
  return before === 'agreed' || before === 'withdrawn' ? 'withdrawn' : 'declined';
}

const DECIDED = {
  agreed: 'Thank you. Others can see the page now',
  declined: 'The page stays hidden',
  withdrawn: 'The page is hidden again',
};

/** Stores a guardian's answer, shows or hides the pages, and tells both. */
async function decide({ tx, changes }: WriteTransaction, guardian: GuardianRow, agree: boolean, now: Date) {
  const state = getNextState(guardian.state, agree) as keyof typeof DECIDED;
  if (state === guardian.state) return DECIDED[state];
  const { userId, email } = guardian;
  const terms = agree ? getCurrentVersion('terms').version : guardian.terms;
  await tx.update(guardians).set({ state, decidedAt: now, terms }).where(eq(guardians.userId, userId));
  if (agree) await recordConsents(tx, userId, getCurrentVersions(), 'guardian', now);
  await updateWithholding(tx, changes, userId);
  const child = await lockUser(tx, userId);
  await queueMail(tx, GUARDIAN_DONE, { state }, { userId, address: email }, now);
  await queueMail(tx, GUARDIAN_TOLD, { state }, { userId, address: child.email }, now);
  return DECIDED[state];
}

/** Naming a guardian, and the guardian's answer. */
export function guardianRoutes(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: CONSENT_CALLS.nameGuardian,
    summary: 'Names the guardian of a caller under 18, and asks them by e-mail',
    access: requiredAccount(),
    body: guardianBody,
    responses: { 202: withRecord(guardianRecord) },
    handler: async ({ body, caller, db, now }) => {
      const { userId } = caller;
      const user = await lockUser(db, userId);
      if (!user.isMinor) throw unprocessable('You need no guardian');
      if (user.bornOn === null) throw unprocessable('Tell us your date of birth first');
      if ((await findGuardian(db, userId))?.state === 'agreed')
        throw unprocessable('Your guardian has agreed. To name another, ask them to withdraw first');
      requireGuardianAddress(user, body.email, app.deps.config.minAge, 'email', now);
      await app.deps.sharedLimiter.takeAll([
        [LIMIT.guardians, String(userId)],
        [LIMIT.guardiansOfAddress, body.email],
      ]);
      const data = presentGuardian(await askGuardian(db, userId, body.email, now));
      return { status: 202, body: { message: `We’ve written to ${body.email}`, data } };
    },
  });

  actionRoute(app, {
    endpoint: CONSENT_CALLS.decideAsGuardian,
    summary: 'Agrees, declines or withdraws as a guardian, with a link from a mail',
    access: publicAccess(),
    body: decideBody,
    responses: { 200: messageOnly },
    handler: async ({ body, now, request }) => {
      await app.deps.sharedLimiter.take(LIMIT.linksOfNetwork, toNetwork(request.ip));
      return runUnrecordedWrite(app, async (write) => {
        const { tx } = write;
        const link = await findLink(tx, body.token, ['guardian'], now, { isUsedAllowed: true });
        const guardian = await findGuardian(tx, link.userId);
        // A used link only repeats what it did: its answer may have been lost.
        const isRepeat = guardian !== null && getNextState(guardian.state, body.agree) === guardian.state;
        if (guardian === null || (link.usedAt !== null && !isRepeat)) throw brokenLink();
        await spendLink(tx, link, now);
        return ok({ message: await decide(write, guardian, body.agree, now) });
      });
    },
  });
}

const DAY_MS = 24 * 60 * 60_000;
/** Days after the question on which a guardian who has not answered is reminded. */
const REMINDER_DAYS = [3, 10];
const BATCH_SIZE = 100;

/** Reminds guardians who have not answered. After a longer pause of the server they get one reminder, not two. */
export async function remindGuardians(db: Db, now: Date): Promise<void> {
  const isDue = or(
    ...REMINDER_DAYS.map((days, done) =>
      and(eq(guardians.reminded, done), lte(guardians.askedAt, new Date(now.getTime() - days * DAY_MS))),
    ),
  );
  for (let count = BATCH_SIZE; count === BATCH_SIZE;) {
    count = await db.transaction(async (tx) => {
      const due = await tx
        .select()
        .from(guardians)
        .innerJoin(users, eq(users.id, guardians.userId))
        .where(and(eq(guardians.state, 'asked'), eq(users.isMinor, true), isDue))
        .limit(BATCH_SIZE)
        .for('update', { of: guardians, skipLocked: true });
      for (const { guardians: row } of due) {
        const passed = REMINDER_DAYS.filter((days) => row.askedAt.getTime() <= now.getTime() - days * DAY_MS);
        await tx.update(guardians).set({ reminded: passed.length }).where(eq(guardians.userId, row.userId));
        await queueMail(tx, GUARDIAN_REMIND, {}, { userId: row.userId, address: row.email }, now);
      }
      return due.length;
    });
  }
}
