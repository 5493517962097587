import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { CALLS } from '#contract/calls.ts';
import { challengeResponse } from '#contract/records/registration.ts';
import { REGISTRATION_CALLS } from '#contract/registration-calls.ts';
import {
  changePasswordBody,
  changeSettingsBody,
  deleteAccountBody,
  loginBody,
  passwordChanged,
  registerBody,
  sessionRecord,
  settingsRecord,
  signedIn,
  userRecord,
  type Privacy,
} from '#contract/records/account.ts';
import { refuseOfficeLookalike } from '#server/platform/access/offices.ts';
import { isYounger } from '#contract/age.ts';
import { isMinorBy } from '#server/platform/access/minors.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { requireFreshSignIn } from '#server/platform/http/fresh-sign-in.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import { requiredAccount, actionRoute, publicAccess, readRoute, writeRoute } from '#server/platform/http/route.ts';
import { withRecord, messageOnly } from '#server/platform/http/schemas.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { ACCOUNT_DELETED } from '#server/features/mail/templates/account-deleted.ts';
import { PASSWORD_CHANGED } from '#server/features/mail/templates/password-changed.ts';
import { VERIFY } from '#server/features/mail/templates/verify.ts';
import { changePushSettings } from '#server/features/push/settings.ts';
import { recordConversationChanges } from '#server/features/chat/conversations.ts';
import { accountRoute } from './account-record.ts';
import { ageRoutes, requirePastDay } from './age.ts';
import { consentRoutes, recordConsents, requireKnownVersions } from './consents.ts';
import { askGuardian, guardianRoutes, requireGuardianAddress } from './guardian.ts';
import { confirmPassword } from './confirm-password.ts';
import { requireAllowedName } from '#server/platform/http/display-names.ts';
import { hashPassword, verifyPassword, refuseWeak } from './passwords.ts';
import { makeRegistrationChallenge, requireSolvedChallenge } from './registration-challenge.ts';
import { removePerson } from './remove.ts';
import {
  addUser,
  changePassword,
  changeSettings,
  endSession,
  lockUserIfThere,
  presentUser,
  renewToken,
  listSessions,
  findUserByEmail,
  getSettings,
  presentSettings,
} from './store.ts';
import { createArchive, exportAccount } from './export.ts';
import { nameAndEmailRoutes } from './name-and-email.ts';
import { recoveryRoutes } from './recovery.ts';
import { deviceRoutes } from './device-routes.ts';
import { passkeyRoutes } from './passkey-routes.ts';
import { reauthRoutes } from './reauth.ts';
import { recoveryCodeRoutes } from './recovery-codes.ts';
import { isToldOfSignIn, queueSignInMail, signDeviceIn } from './sign-in.ts';
import { getSignInUses, limitSignIn } from './sign-in-limits.ts';
import { runUnrecordedWrite } from './unrecorded-write.ts';

const WRONG_CREDENTIALS = 'The e-mail or the password is wrong';

/**
 * What the age of a new person means: whether they are a minor, and who is asked for permission. A young child’s account has the address of
 * the guardian. Older apps say nothing about age, and their people count as minors.
 * @throws 422
 */
function readAge(
  app: FastifyInstance,
  { email, born_on, guardian_email }: z.output<typeof registerBody>,
  now: Date,
): { isMinor: boolean; guardian: string | null } {
  const bornOn = born_on ?? null;
  if (bornOn !== null) requirePastDay(bornOn, now);
  const isMinor = isMinorBy(bornOn, now);
  const { minAge } = app.deps.config;
  if (bornOn === null || !isMinor) return { isMinor, guardian: null };
  const guardian = guardian_email ?? (isYounger(bornOn, minAge, now) ? email : null);
  if (guardian !== null) requireGuardianAddress({ email, bornOn }, guardian, minAge, 'guardian_email', now);
  return { isMinor, guardian };
}

function registerRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: REGISTRATION_CALLS.challenge,
    summary: 'A challenge to solve before registering; null where the server asks for none',
    access: publicAccess(),
    responses: { 200: challengeResponse },
    handler: async ({ now }) => {
      const { config } = app.deps;
      const challenge = config.asksChallenge ? await makeRegistrationChallenge(app.deps, now) : null;
      return ok({ challenge }, { 'cache-control': 'no-store' });
    },
  });

  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.register,
    summary: 'Makes an account and signs the device in',
    access: publicAccess(),
    body: registerBody,
    responses: { 201: signedIn },
    handler: async ({ body, db, now, request }) => {
      await app.deps.sharedLimiter.take(LIMIT.registrations, toNetwork(request.ip));
      requireAllowedName(body.name, 'name');
      await refuseOfficeLookalike(db, body.name, 'name', null);
      refuseWeak(body.password, body);
      requireKnownVersions(body);
      const { isMinor, guardian } = readAge(app, body, now);
      // Last of all checks that cost nothing: a solution is good for one try.
      if (app.deps.config.asksChallenge) await requireSolvedChallenge(app.deps, body.challenge, now);
      if (guardian !== null) await app.deps.sharedLimiter.take(LIMIT.guardiansOfAddress, guardian);
      const passwordHash = await hashPassword(body.password);
      return runUnrecordedWrite(app, async (write) => {
        const { tx } = write;
        const user = await addUser(tx, {
          name: body.name,
          email: body.email,
          passwordHash,
          createdAt: now,
          mustConfirmEmail: app.deps.config.mustConfirmEmail,
          bornOn: body.born_on ?? null,
          isMinor,
          privacy: { phone: false, email: false, day_rate: false, search_engines: false },
        });
        if (user === null) throw invalid({ email: ['There is already an account with this e-mail. Sign in instead'] });
        await queueMail(tx, VERIFY, {}, { userId: user.id, address: user.email }, now);
        await recordConsents(tx, user.id, { terms: body.terms, privacy: body.privacy }, 'registration', now);
        if (guardian !== null) await askGuardian(tx, user.id, guardian, now);
        const signedIn = await signDeviceIn(write, request, user, 'Welcome to Callboard', now, 'password');
        return created(signedIn.body, signedIn.headers);
      });
    },
  });
}

function loginRoute(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.login,
    summary: 'Signs the device in',
    access: publicAccess(),
    body: loginBody,
    responses: { 200: signedIn },
    handler: async ({ body, db, now, request }) => {
      const user = await findUserByEmail(db, body.email);
      request.accountId = user?.id ?? null;
      const { uses, isKnownDevice } = await getSignInUses(app.deps, request, body.email, user);
      const person = await limitSignIn(app.deps, 'password', uses, async () => {
        const isRight = await verifyPassword(user?.passwordHash ?? null, body.password);
        if (!isRight || user === null) throw invalid({ email: [WRONG_CREDENTIALS] });
        return user;
      });
      const isTold = !isKnownDevice && (await isToldOfSignIn(app.deps, person));
      return runUnrecordedWrite(app, async (write) => {
        const current = await lockUserIfThere(write.tx, person.id);
        // Changed while the password was verified: it may be the old one, in the hands of whoever the change was to keep out.
        if (current === null || current.passwordHash !== person.passwordHash)
          throw invalid({ email: [WRONG_CREDENTIALS] });
        if (isTold) await queueSignInMail(write.tx, current, request, now);
        const signedIn = await signDeviceIn(write, request, current, 'Welcome back', now, 'password');
        return ok(signedIn.body, signedIn.headers);
      });
    },
  });
}

/**
 * Routes that may carry the current password. Their responses are not stored under an Idempotency-Key, because that would store a
 * digest of a body that contains a password.
 */
function passwordConfirmedRoutes(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.changePassword,
    summary: 'Changes the password and signs the other devices out',
    access: requiredAccount(),
    isOpenToSuspended: true,
    body: changePasswordBody,
    responses: { 200: passwordChanged },
    handler: async ({ body, caller, now }) => {
      const stored = await confirmPassword(app, caller, body.current_password, 'current_password');
      refuseWeak(body.password, caller);
      const passwordHash = await hashPassword(body.password);
      const isTold = await app.deps.sharedLimiter.countIfLeft(LIMIT.passwordMails, String(caller.userId));
      return runUnrecordedWrite(app, async ({ tx, changes }) => {
        const isChanged = await changePassword(tx, changes, caller, stored, passwordHash);
        if (!isChanged)
          throw invalid({ current_password: ['Your password has just been changed elsewhere. Enter the new one'] });
        const { userId, email: address } = caller;
        if (isTold) await queueMail(tx, PASSWORD_CHANGED, { at: now.toISOString() }, { userId, address }, now);
        const token = body.renew_token ? await renewToken(tx, caller, now) : undefined;
        return ok({ message: 'Password changed', ...(token !== undefined && { token }) });
      });
    },
  });

  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.deleteAccount,
    summary: 'Deletes the account with everything in it',
    access: requiredAccount(),
    isOpenToSuspended: true,
    body: deleteAccountBody,
    responses: { 200: messageOnly },
    handler: async ({ body, caller, now }) => {
      // The right password is as good as a fresh sign-in. Older apps send it.
      if (body.password === undefined) requireFreshSignIn(caller, now);
      else await confirmPassword(app, caller, body.password, 'password');
      return runUnrecordedWrite(app, async ({ tx, changes }) => {
        await removePerson(tx, changes, caller.userId, now);
        await queueMail(tx, ACCOUNT_DELETED, { name: caller.name }, { userId: null, address: caller.email }, now);
        return ok({ message: 'Your account has been deleted' });
      });
    },
  });
}

/** @throws 422 naming the switch that a minor cannot turn on */
function readPrivacy({ isMinor }: Caller, privacy: Partial<Privacy> | undefined): Partial<Privacy> | undefined {
  const [opened] = Object.entries(privacy ?? {}).find(([, isOn]) => isOn) ?? [];
  if (isMinor && opened)
    throw invalid({ [`privacy.${opened}`]: ['You can switch this on from your 18th birthday on'] });
  return privacy;
}

/** Registration, sign-in, settings, sessions and the account itself. */
export function accountRoutes(app: FastifyInstance): void {
  recoveryRoutes(app);
  nameAndEmailRoutes(app);
  registerRoutes(app);
  loginRoute(app);
  reauthRoutes(app);
  passkeyRoutes(app);
  recoveryCodeRoutes(app);
  deviceRoutes(app);
  accountRoute(app);
  ageRoutes(app);
  consentRoutes(app);
  guardianRoutes(app);
  passwordConfirmedRoutes(app);

  readRoute(app, {
    endpoint: ACCOUNT_CALLS.settings,
    summary: 'The caller’s settings',
    access: requiredAccount(),
    responses: { 200: settingsRecord },
    handler: async ({ caller, db }) => ok(presentSettings(await getSettings(db, caller.userId))),
  });

  writeRoute(app, {
    endpoint: ACCOUNT_CALLS.changeSettings,
    summary: 'Changes the caller’s settings',
    access: requiredAccount(),
    isOpenToSuspended: true,
    body: changeSettingsBody,
    responses: { 200: withRecord(settingsRecord) },
    handler: async ({ body, caller, db, changes }) => {
      const { read_receipts: readReceipts, audition_receipts: auditionReceipts } = body;
      const { sign_in_mail: signInMail, privacy, push } = body;
      const { news_mail: newsMail, message_mail: messageMail, availability_for: availabilityFor } = body;
      const mail = { signInMail, newsMail, messageMail };
      const shown = { privacy: readPrivacy(caller, privacy), availabilityFor };
      await changeSettings(db, caller.userId, { readReceipts, auditionReceipts, ...mail, ...shown });
      if (push !== undefined) await changePushSettings(db, caller.userId, push);
      // The setting shows or hides read receipts in every conversation, for both participants.
      if (readReceipts !== undefined) await recordConversationChanges(db, changes, caller.userId);
      return ok({ message: 'Settings saved', data: presentSettings(await getSettings(db, caller.userId)) });
    },
  });

  readRoute(app, {
    endpoint: ACCOUNT_CALLS.exportAccount,
    summary: 'Everything the caller has here, as a ZIP',
    access: requiredAccount(),
    responses: { 200: null },
    handler: async ({ caller, db, now }) => {
      requireFreshSignIn(caller, now);
      const { stream, lengthBytes } = createArchive(await exportAccount(db, app.deps.storage, caller), now);
      const name = `callboard-${caller.slug}-${now.toISOString().slice(0, 10)}.zip`;
      return ok(stream, {
        'content-type': 'application/zip',
        // Not `content-length`: the archive is shorter if files are missing, which shows only when it reaches them.
        'x-archive-bytes': String(lengthBytes),
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'private, no-store',
      });
    },
  });

  readRoute(app, {
    endpoint: CALLS.user,
    summary: 'Who is signed in',
    access: requiredAccount(),
    responses: { 200: userRecord },
    handler: async ({ caller, db, now }) => ok(await presentUser(db, caller, now)),
  });

  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.logout,
    summary: 'Signs the device out; the token dies at once',
    access: requiredAccount(),
    isOpenToSuspended: true,
    responses: { 200: messageOnly },
    handler: async ({ caller }) =>
      runUnrecordedWrite(app, async ({ tx, changes }) => {
        await endSession(tx, changes, caller.userId, caller.sessionId);
        return ok({ message: 'Signed out' });
      }),
  });

  readRoute(app, {
    endpoint: ACCOUNT_CALLS.sessions,
    summary: 'The signed-in devices of the caller',
    access: requiredAccount(),
    responses: { 200: z.array(sessionRecord) },
    handler: async ({ caller, db }) => ok(await listSessions(db, caller.userId, caller.sessionId)),
  });

  writeRoute(app, {
    endpoint: ACCOUNT_CALLS.endSession,
    summary: 'Signs another device out',
    access: requiredAccount(),
    isOpenToSuspended: true,
    params: z.object({ id: z.string() }),
    responses: { 200: messageOnly },
    handler: async ({ caller, params, db, changes, now }) => {
      const sessionId = requireId(params.id, 'session');
      // Signing out the device itself locks nobody out.
      if (sessionId !== caller.sessionId) requireFreshSignIn(caller, now);
      const ended = await endSession(db, changes, caller.userId, sessionId);
      if (!ended) throw notFound('session');
      return ok({ message: 'This device has been signed out' });
    },
  });
}
