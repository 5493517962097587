import type { AuthenticatorTransport } from '@simplewebauthn/server';
import { and, eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { signedIn } from '#contract/records/account.ts';
import {
  addPasskeyBody,
  challengeRecord,
  PASSKEY_LIMITS,
  passkeyRecord,
  passkeySignInBody,
  remainingPasskeys,
  removePasskeyBody,
  renamePasskeyBody,
} from '#contract/records/sign-in.ts';
import { SIGN_IN_CALLS } from '#contract/sign-in-calls.ts';
import { passkeys } from '#server/platform/db/schema.ts';
import { invalid, notFound, unprocessable } from '#server/platform/http/errors.ts';
import { requireFreshSignIn } from '#server/platform/http/fresh-sign-in.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { actionRoute, publicAccess, readRoute, requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { PASSKEY_ADDED } from '#server/features/mail/templates/passkey-added.ts';
import { PASSKEY_REMOVED } from '#server/features/mail/templates/passkey-removed.ts';
import { addChallenge, takeChallenge } from './challenges.ts';
import { toDeviceName } from './device.ts';
import { findKnownDevice } from './known-devices.ts';
import { askForPasskey, verifyPasskey } from './passkey-check.ts';
import {
  deletePasskey,
  ensureWebauthnId,
  listPasskeys,
  lockWays,
  presentPasskey,
  presentRemaining,
  recordUse,
} from './passkeys.ts';
import { findRelyingParty, requireRelyingParty } from './relying-party.ts';
import { limitSignIn } from './sign-in-limits.ts';
import { isToldOfSignIn, queueSignInMail, signDeviceIn } from './sign-in.ts';
import { endAllSessions, lockUser } from './store.ts';
import { runUnrecordedWrite } from './unrecorded-write.ts';
import { queueWayMail } from './way-mail.ts';
import { loadWebAuthn } from './webauthn.ts';

const idParams = z.object({ id: z.string() });
const NAME = 'Callboard';
const TOO_MANY = `You have ${PASSKEY_LIMITS.perPerson} passkeys. Remove one that you no longer use first.`;

function addRoutes(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: SIGN_IN_CALLS.passkeyOptions,
    summary: 'Asks for a new passkey; needs a fresh sign-in',
    access: requiredAccount(),
    isOpenToSuspended: true,
    responses: { 200: challengeRecord },
    handler: async ({ caller, db, request, now }) => {
      requireFreshSignIn(caller, now);
      const { id: rpID } = requireRelyingParty(app, request);
      const own = await listPasskeys(db, caller.userId);
      if (own.length >= PASSKEY_LIMITS.perPerson) throw unprocessable(TOO_MANY);
      const { generateRegistrationOptions } = await loadWebAuthn();
      const options = await generateRegistrationOptions({
        rpName: NAME,
        rpID,
        userID: new Uint8Array(await ensureWebauthnId(db, caller.userId)),
        userName: caller.email,
        userDisplayName: caller.name,
        attestationType: 'none',
        excludeCredentials: own.map(({ id, transports }) => ({
          id,
          transports: transports as AuthenticatorTransport[],
        })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
      const challengeId = await addChallenge(db, 'add', caller, options.challenge, now);
      return ok({ challenge_id: challengeId, options: { ...options } });
    },
  });

  actionRoute(app, {
    endpoint: SIGN_IN_CALLS.addPasskey,
    summary: 'Adds a passkey; needs a fresh sign-in',
    access: requiredAccount(),
    isOpenToSuspended: true,
    body: addPasskeyBody,
    responses: { 201: withRecord(passkeyRecord) },
    handler: async ({ body, caller, db, request, now }) => {
      requireFreshSignIn(caller, now);
      const { id: expectedRPID, origin: expectedOrigin } = requireRelyingParty(app, request);
      const { verifyRegistrationResponse } = await loadWebAuthn();
      const expectedChallenge = await takeChallenge(db, 'add', caller, body.challenge_id, now);
      const { transports = [] } = body.response.response;
      const verified = await verifyRegistrationResponse({
        response: {
          ...body.response,
          response: { ...body.response.response, transports: transports as AuthenticatorTransport[] },
          clientExtensionResults: {},
        },
        expectedChallenge,
        expectedOrigin,
        expectedRPID,
        requireUserVerification: true,
      }).catch((error: unknown) => {
        // The library throws for a wrong challenge, origin, host or format.
        request.log.info({ reason: error instanceof Error ? error.name : 'unknown' }, 'a new passkey was refused');
        return null;
      });
      if (!verified?.verified) throw invalid({ response: ['This passkey could not be added. Try again.'] });
      const { credential, aaguid, credentialDeviceType } = verified.registrationInfo;
      return runUnrecordedWrite(app, async ({ tx }) => {
        const { passkeyCount } = await lockWays(tx, caller.userId);
        if (passkeyCount >= PASSKEY_LIMITS.perPerson) throw unprocessable(TOO_MANY);
        const [added] = await tx
          .insert(passkeys)
          .values({
            id: credential.id,
            userId: caller.userId,
            publicKey: Buffer.from(credential.publicKey),
            counter: credential.counter,
            transports,
            aaguid,
            isSynced: credentialDeviceType === 'multiDevice',
            name: body.name ?? toDeviceName(request.headers['user-agent']),
            createdAt: now,
          })
          .onConflictDoNothing()
          .returning();
        if (added === undefined) throw invalid({ response: ['This passkey has been added already'] });
        const mailTo = { userId: caller.userId, address: caller.email };
        const params = { at: now.toISOString(), name: added.name, passkey: added.id };
        await queueWayMail(app.deps, tx, PASSKEY_ADDED, params, mailTo, now);
        return created({ message: 'Passkey added', data: presentPasskey(added) });
      });
    },
  });
}

function changeRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: SIGN_IN_CALLS.passkeys,
    summary: 'The caller’s passkeys',
    access: requiredAccount(),
    responses: { 200: z.array(passkeyRecord) },
    handler: async ({ caller, db }) => ok((await listPasskeys(db, caller.userId)).map(presentPasskey)),
  });

  writeRoute(app, {
    endpoint: SIGN_IN_CALLS.renamePasskey,
    summary: 'Renames a passkey',
    access: requiredAccount(),
    isOpenToSuspended: true,
    params: idParams,
    body: renamePasskeyBody,
    responses: { 200: withRecord(passkeyRecord) },
    handler: async ({ body, caller, params, db }) => {
      const [renamed] = await db
        .update(passkeys)
        .set({ name: body.name })
        .where(and(eq(passkeys.id, params.id), eq(passkeys.userId, caller.userId)))
        .returning();
      if (renamed === undefined) throw notFound('passkey');
      return ok({ message: 'Passkey renamed', data: presentPasskey(renamed) });
    },
  });

  writeRoute(app, {
    endpoint: SIGN_IN_CALLS.removePasskey,
    summary: 'Removes a passkey; needs a fresh sign-in',
    access: requiredAccount(),
    isOpenToSuspended: true,
    params: idParams,
    body: removePasskeyBody,
    responses: { 200: withRecord(z.nullable(remainingPasskeys)) },
    handler: async ({ body, caller, params, request, db, changes, now }) => {
      requireFreshSignIn(caller, now);
      const { hasPassword, passkeyCount } = await lockWays(db, caller.userId);
      const removed = await deletePasskey(db, caller.userId, params.id);
      if (removed === null) throw notFound('passkey');
      if (!hasPassword && passkeyCount === 1) {
        throw unprocessable('This is your only way to sign in. Add another one before you remove it.');
      }
      if (body.sign_out_others) await endAllSessions(db, changes, caller.userId, caller.sessionId);
      const mailTo = { userId: caller.userId, address: caller.email };
      await queueWayMail(app.deps, db, PASSKEY_REMOVED, { at: now.toISOString(), name: removed.name }, mailTo, now);
      // Where passkeys do not work, no password manager has to hear of it.
      const party = findRelyingParty(app, request);
      const data = party && (await presentRemaining(db, caller.userId, party));
      return ok({ message: 'Passkey removed', data });
    },
  });
}

function signInRoutes(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: SIGN_IN_CALLS.passkeySignInOptions,
    summary: 'A challenge for signing in with a passkey; names no account',
    access: publicAccess(),
    responses: { 200: challengeRecord },
    handler: async ({ request, now }) => ok(await askForPasskey(app, request, null, now)),
  });

  actionRoute(app, {
    endpoint: SIGN_IN_CALLS.passkeySignIn,
    summary: 'Signs the device in with a passkey',
    access: publicAccess(),
    body: passkeySignInBody,
    responses: { 200: signedIn },
    handler: async ({ body, db, request, now }) => {
      const uses = [[LIMIT.failedSignInsOfNetwork, toNetwork(request.ip)]] as const;
      const { passkey, user, counter } = await limitSignIn(app.deps, 'passkey', uses, () =>
        verifyPasskey(app, request, null, body, now),
      );
      const isKnownDevice = (await findKnownDevice(db, request, user.id)) !== null;
      const isTold = !isKnownDevice && (await isToldOfSignIn(app.deps, user));
      return runUnrecordedWrite(app, async (write) => {
        const current = await lockUser(write.tx, user.id);
        await recordUse(write.tx, passkey.id, counter, now);
        if (isTold) await queueSignInMail(write.tx, current, request, now);
        const answer = await signDeviceIn(write, request, current, 'Welcome back', now, 'passkey');
        return ok(answer.body, answer.headers);
      });
    },
  });
}

/** Routes to add, change and remove passkeys, and to sign in with one. */
export function passkeyRoutes(app: FastifyInstance): void {
  addRoutes(app);
  changeRoutes(app);
  signInRoutes(app);
}
