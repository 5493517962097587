import { and, eq, isNull } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import { accountRecord, type Account } from '#contract/records/consent.ts';
import { findGuardian } from '#server/platform/access/guardians.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { findRestriction } from '#server/platform/db/restrictions.ts';
import { appeals } from '#server/platform/db/schema.ts';
import { ok } from '#server/platform/http/response.ts';
import { readRoute, requiredAccount } from '#server/platform/http/route.ts';
import { findAgeRequest } from './age-requests.ts';
import { presentGuardian } from './guardian.ts';
import { listPasskeys } from './passkeys.ts';
import { countRecoveryCodes } from './recovery-codes.ts';
import { getPasswordHash } from './store.ts';

/** What suspends a person now, and whether they wait for an answer. */
async function presentSuspension(db: Db, userId: number): Promise<Account['suspension']> {
  const found = await findRestriction(db, 'user', userId);
  if (found === null) return null;
  const { id, reason, words, until } = found;
  const open = await db.$count(appeals, and(eq(appeals.restrictionId, id), isNull(appeals.answeredAt)));
  return { reason, words, until: until?.toISOString() ?? null, appealed: open > 0 };
}

/** The caller's account: who they are, whether they are protected, and how they sign in. */
export function accountRoute(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CONSENT_CALLS.account,
    summary: 'The caller’s account: e-mail, age, guardian, suspension and ways to sign in',
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
        // An answer is of no use to somebody who has come of age since.
        age_request: caller.isMinor ? await findAgeRequest(db, userId) : null,
        role: caller.role,
        state: caller.state,
        suspension: await presentSuspension(db, userId),
        ways: {
          password: (await getPasswordHash(db, userId)) !== null,
          passkeys: (await listPasskeys(db, userId)).length,
          recovery_codes_left: await countRecoveryCodes(db, userId),
        },
      });
    },
  });
}
