import type { FastifyInstance } from 'fastify';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import { accountRecord } from '#contract/records/consent.ts';
import { findGuardian } from '#server/platform/access/guardians.ts';
import { ok } from '#server/platform/http/response.ts';
import { readRoute, requiredAccount } from '#server/platform/http/route.ts';
import { presentGuardian } from './guardian.ts';
import { listPasskeys } from './passkeys.ts';
import { countRecoveryCodes } from './recovery-codes.ts';
import { getPasswordHash } from './store.ts';

/** The caller's account: who they are, whether they are protected, and how they sign in. */
export function accountRoute(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CONSENT_CALLS.account,
    summary: 'The caller’s account: e-mail, age, guardian and ways to sign in',
    access: requiredAccount(),
    responses: { 200: accountRecord },
    handler: async ({ caller, db }) => {
      const { userId } = caller;
      const guardian = await findGuardian(db, userId);
      return ok({
        id: String(userId),
        name: caller.name,
        email: caller.email,
        email_verified: caller.emailVerifiedAt !== null,
        pending_email: caller.pendingEmail,
        born_on: caller.bornOn,
        is_minor: caller.isMinor,
        guardian: guardian && presentGuardian(guardian),
        ways: {
          password: (await getPasswordHash(db, userId)) !== null,
          passkeys: (await listPasskeys(db, userId)).length,
          recovery_codes_left: await countRecoveryCodes(db, userId),
        },
      });
    },
  });
}
