import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AuthenticatorTransport } from '@simplewebauthn/server';
import type { AuthenticationResponse, ChallengeRecord } from '#contract/records/sign-in.ts';
import type { users } from '#server/platform/db/schema.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { PASSKEY_REFUSED } from '#server/features/mail/templates/passkey-refused.ts';
import { addChallenge, takeChallenge } from './challenges.ts';
import { findPasskey, PASSKEY_REMOVED_TEXT, type PasskeyRow } from './passkeys.ts';
import { requireRelyingParty } from './relying-party.ts';
import { queueWayMail } from './way-mail.ts';
import { loadWebAuthn } from './webauthn.ts';

/** Signed-in people confirm who they are; before a sign-in, the passkey says who it is. */
type Asked = { userId: number; sessionId: number } | null;

/** Asks an authenticator to prove who the person is. @param allowed the passkeys to choose from; without them, any of this server */
export async function askForPasskey(
  app: FastifyInstance,
  request: FastifyRequest,
  asked: Asked,
  now: Date,
  allowed: readonly PasskeyRow[] = [],
): Promise<ChallengeRecord> {
  const { id: rpID } = requireRelyingParty(app, request);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const options = await generateAuthenticationOptions({
    rpID,
    userVerification: 'required',
    allowCredentials: allowed.map(({ id, transports }) => ({ id, transports: transports as AuthenticatorTransport[] })),
  });
  const purpose = asked === null ? 'sign-in' : 'reauth';
  const challengeId = await addChallenge(app.deps.db, purpose, asked, options.challenge, now);
  return { challenge_id: challengeId, options: { ...options } };
}

const REFUSED = 'This passkey was not accepted. Try again, or use another way to sign in.';

/** Tells the person that their passkey may exist twice. The sign-in is refused, so its transaction would not keep the mail. */
async function reportCopy(
  { deps }: FastifyInstance,
  { id, email }: typeof users.$inferSelect,
  passkey: PasskeyRow,
  now: Date,
): Promise<void> {
  const params = { at: now.toISOString(), name: passkey.name };
  await deps.db.transaction((tx) =>
    queueWayMail(deps, tx, PASSKEY_REFUSED, params, { userId: id, address: email }, now),
  );
}

/**
 * Verifies what an authenticator has signed. Uses the challenge up.
 * @throws 422 naming `challenge_id` for a challenge that is used or too old, `passkey` for one that this server does not know (any more),
 * `response` for everything else
 */
export async function verifyPasskey(
  app: FastifyInstance,
  request: FastifyRequest,
  asked: Asked,
  { challenge_id, response }: { challenge_id: string; response: AuthenticationResponse },
  now: Date,
): Promise<{ passkey: PasskeyRow; user: typeof users.$inferSelect; counter: number }> {
  const { db } = app.deps;
  const { id: expectedRPID, origin: expectedOrigin } = requireRelyingParty(app, request);
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const expectedChallenge = await takeChallenge(db, asked === null ? 'sign-in' : 'reauth', asked, challenge_id, now);
  const found = await findPasskey(db, response.id);
  if (found === null || (asked !== null && asked.userId !== found.user.id)) {
    throw invalid({ passkey: [PASSKEY_REMOVED_TEXT] });
  }
  const { passkey, user } = found;
  if (asked === null) request.accountId = user.id;
  const { userHandle } = response.response;
  const isTheirs = userHandle === undefined || userHandle === user.webauthnId?.toString('base64url');
  const verified = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    // The counter is judged below.
    credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
  }).catch((error: unknown) => {
    // The library throws for a wrong challenge, origin, host or format.
    request.log.info({ reason: error instanceof Error ? error.name : 'unknown' }, 'a passkey was refused');
    return null;
  });
  if (!isTheirs || !verified?.verified) throw invalid({ response: [REFUSED] });
  const { newCounter: counter } = verified.authenticationInfo;
  // A synced passkey exists several times, and its counters do not agree. One that stays on its device counts upwards or not at all.
  const isCopy = !passkey.isSynced && Math.max(counter, passkey.counter) > 0 && counter <= passkey.counter;
  if (isCopy) {
    request.log.warn({ user: user.id }, 'the counter of a passkey fell: it may have been copied');
    await reportCopy(app, user, passkey, now);
    throw invalid({ response: [REFUSED] });
  }
  return { passkey, user, counter };
}
