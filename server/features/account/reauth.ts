import type { FastifyInstance } from 'fastify';
import { reauthBody, reauthOptionsRecord, reauthRecord } from '#contract/records/sign-in.ts';
import { SIGN_IN_CALLS } from '#contract/sign-in-calls.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { getFreshUntil } from '#server/platform/http/fresh-sign-in.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { ok } from '#server/platform/http/response.ts';
import { actionRoute, requiredAccount } from '#server/platform/http/route.ts';
import { confirmPassword } from './confirm-password.ts';
import { askForPasskey, verifyPasskey } from './passkey-check.ts';
import { listPasskeys, recordUse } from './passkeys.ts';
import { findRelyingParty } from './relying-party.ts';
import { getPasswordHash, renewToken } from './store.ts';
import { runUnrecordedWrite } from './unrecorded-write.ts';

/** Routes with which signed-in people prove who they are before dangerous acts. */
export function reauthRoutes(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: SIGN_IN_CALLS.reauthOptions,
    summary: 'How the caller can prove who they are, and a challenge for their passkeys',
    access: requiredAccount(),
    isOpenToSuspended: true,
    responses: { 200: reauthOptionsRecord },
    handler: async ({ caller, db, request, now }) => {
      const password = (await getPasswordHash(db, caller.userId)) !== null;
      const own = await listPasskeys(db, caller.userId);
      const canAsk = own.length > 0 && findRelyingParty(app, request) !== null;
      const challenge = canAsk ? await askForPasskey(app, request, caller, now, own) : null;
      return ok({ ways: { password, passkeys: own.length }, challenge });
    },
  });

  actionRoute(app, {
    endpoint: SIGN_IN_CALLS.reauth,
    summary: 'Proves who the caller is, by password or passkey; the session gets a new token',
    access: requiredAccount(),
    isOpenToSuspended: true,
    body: reauthBody,
    responses: { 200: reauthRecord },
    handler: async ({ body, caller, request, now }) => {
      const { password, challenge_id, response } = body;
      const answer = (token: string) =>
        ok({ message: 'Thank you', token, fresh_until: getFreshUntil(now).toISOString() });
      if (password !== undefined) {
        await confirmPassword(app, caller, password, 'password');
        return runUnrecordedWrite(app, async ({ tx }) => answer(await renewToken(tx, caller, now)));
      }
      if (challenge_id === undefined || response === undefined) throw invalid({ password: ['Enter your password'] });
      const refund = await app.deps.sharedLimiter.take(LIMIT.failedConfirmations, String(caller.userId));
      const { passkey, counter } = await verifyPasskey(app, request, caller, { challenge_id, response }, now);
      await refund();
      return runUnrecordedWrite(app, async ({ tx }) => {
        await recordUse(tx, passkey.id, counter, now);
        return answer(await renewToken(tx, caller, now, 'passkey'));
      });
    },
  });
}
