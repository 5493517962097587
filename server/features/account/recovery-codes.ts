import { randomBytes } from 'node:crypto';
import { and, count, eq, isNull } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { signedIn } from '#contract/records/account.ts';
import { newRecoveryCodes, recoveryCodesRecord, recoverySignInBody } from '#contract/records/sign-in.ts';
import { SIGN_IN_CALLS } from '#contract/sign-in-calls.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { recoveryCodes } from '#server/platform/db/schema.ts';
import { ConcurrencyLimiter } from '#server/platform/http/concurrency-limiter.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { requireFreshSignIn } from '#server/platform/http/fresh-sign-in.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { actionRoute, publicAccess, readRoute, requiredAccount } from '#server/platform/http/route.ts';
import { RECOVERY_MADE } from '#server/features/mail/templates/recovery-made.ts';
import { RECOVERY_USED } from '#server/features/mail/templates/recovery-used.ts';
import { toDeviceName } from './device.ts';
import { createSalt, hashWithSalt, readSalt } from './passwords.ts';
import { signDeviceIn } from './sign-in.ts';
import { getSignInUses, limitSignIn } from './sign-in-limits.ts';
import { findUserByEmail, lockUserIfThere } from './store.ts';
import { runUnrecordedWrite } from './unrecorded-write.ts';
import { queueWayMail } from './way-mail.ts';

const CODE_COUNT = 10;
/** Ten characters of five bits each. */
const CODE_LENGTH = 10;
/** Crockford’s base 32: no letter that is easily taken for another character. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** One batch of hashes at a time, so that people who make codes cannot keep others from signing in. */
const batchLimiter = new ConcurrencyLimiter(1, 10);
const WRONG = 'The e-mail or the code is wrong, or the code was used before';

const createCode = (): string =>
  Array.from(randomBytes(CODE_LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

/** Hashes codes one after the other, so that sign-ins need not wait for all of them. */
async function hashCodes(codes: readonly string[]): Promise<string[]> {
  const salt = createSalt();
  const hashes: string[] = [];
  for (const code of codes) hashes.push(await hashWithSalt(code, salt));
  return hashes;
}

/** The number of codes that still work. */
export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const [found] = await db
    .select({ total: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return found?.total ?? 0;
}

/** Ends the person's codes. */
export async function deleteCodes(tx: Db, userId: number): Promise<void> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
}

/** Replaces the person's codes. */
export async function replaceCodes(tx: Db, userId: number, hashes: readonly string[], now: Date): Promise<void> {
  // Otherwise two devices could each add ten: neither sees the codes of the other.
  await lockPerson(tx, userId);
  await deleteCodes(tx, userId);
  await tx.insert(recoveryCodes).values(hashes.map((hash) => ({ userId, hash, createdAt: now })));
}

/** The id of nobody. */
const NOBODY = 0;

/**
 * Finds the hash of a typed code among those of a person; null if it is none of them. Does the same work for everybody, also for nobody, so
 * that the time of the answer does not tell who has an account or codes.
 */
async function findCode(db: Db, userId: number, code: string): Promise<string | null> {
  const [stored] = await db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, userId)).limit(1);
  const hash = await hashWithSalt(code, stored === undefined ? createSalt() : readSalt(stored.hash));
  const isTheirs = and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash), isNull(recoveryCodes.usedAt));
  return (await db.$count(recoveryCodes, isTheirs)) > 0 ? hash : null;
}

/** Uses a code up. @returns false if the person has no such code, or used it before */
async function spendCode(tx: Db, userId: number, hash: string, now: Date): Promise<boolean> {
  const spent = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hash), isNull(recoveryCodes.usedAt)))
    .returning({ userId: recoveryCodes.userId });
  return spent.length > 0;
}

/** Routes to make recovery codes, and to sign in with one. */
export function recoveryCodeRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: SIGN_IN_CALLS.recoveryCodes,
    summary: 'How many of the caller’s recovery codes still work',
    access: requiredAccount(),
    responses: { 200: recoveryCodesRecord },
    handler: async ({ caller, db }) => ok({ left: await countRecoveryCodes(db, caller.userId) }),
  });

  actionRoute(app, {
    endpoint: SIGN_IN_CALLS.makeRecoveryCodes,
    summary: 'Makes ten recovery codes, which replace the old ones; needs a fresh sign-in',
    access: requiredAccount(),
    isOpenToSuspended: true,
    responses: { 201: newRecoveryCodes },
    handler: async ({ caller, now }) => {
      requireFreshSignIn(caller, now);
      const codes = Array.from({ length: CODE_COUNT }, createCode);
      const hashes = await batchLimiter.run(() => hashCodes(codes));
      return runUnrecordedWrite(app, async ({ tx }) => {
        await replaceCodes(tx, caller.userId, hashes, now);
        const mailTo = { userId: caller.userId, address: caller.email };
        await queueWayMail(app.deps, tx, RECOVERY_MADE, { at: now.toISOString() }, mailTo, now);
        return created({ message: 'These are your new codes', codes }, { 'cache-control': 'no-store' });
      });
    },
  });

  actionRoute(app, {
    endpoint: SIGN_IN_CALLS.recoverySignIn,
    summary: 'Signs the device in with a recovery code, which works once',
    access: publicAccess(),
    body: recoverySignInBody,
    responses: { 200: signedIn },
    handler: async ({ body, db, request, now }) => {
      const user = await findUserByEmail(db, body.email);
      request.accountId = user?.id ?? null;
      const { uses } = await getSignInUses(app.deps, request, body.email, user);
      return limitSignIn(app.deps, 'recovery', uses, async () => {
        const hash = await findCode(db, user?.id ?? NOBODY, body.code);
        if (user === null || hash === null) throw invalid({ code: [WRONG] });
        return runUnrecordedWrite(app, async (write) => {
          const { tx } = write;
          const current = await lockUserIfThere(tx, user.id);
          if (current === null || !(await spendCode(tx, user.id, hash, now))) throw invalid({ code: [WRONG] });
          const left = await countRecoveryCodes(tx, user.id);
          const params = { at: now.toISOString(), device: toDeviceName(request.headers['user-agent']), left };
          const mailTo = { userId: user.id, address: current.email };
          const { body: signed, headers } = await signDeviceIn(
            write,
            request,
            current,
            'Welcome back',
            now,
            'recovery',
          );
          await queueWayMail(app.deps, tx, RECOVERY_USED, params, mailTo, now);
          return ok(signed, headers);
        });
      });
    },
  });
}
