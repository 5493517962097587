import type { FastifyInstance, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { CALLS } from '#contract/calls.ts';
import {
  changePasswordBody,
  changeSettingsBody,
  deleteAccountBody,
  loginBody,
  registerBody,
  sessionRecord,
  settingsRecord,
  signedIn,
  userRecord,
} from '#contract/records/account.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { invalid, notFound } from '#server/platform/http/errors.ts';
import { requireId } from '#server/platform/http/ids.ts';
import { LIMIT, type Use } from '#server/platform/http/limits.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import { requiredAccount, actionRoute, publicAccess, readRoute, writeRoute } from '#server/platform/http/route.ts';
import { withRecord, messageOnly } from '#server/platform/http/schemas.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { ACCOUNT_DELETED } from '#server/features/mail/templates/account-deleted.ts';
import { NEW_SIGN_IN } from '#server/features/mail/templates/new-sign-in.ts';
import { PASSWORD_CHANGED } from '#server/features/mail/templates/password-changed.ts';
import { VERIFY } from '#server/features/mail/templates/verify.ts';
import { recordConversationChanges } from '#server/features/chat/conversations.ts';
import { confirmPassword } from './confirm-password.ts';
import { toDeviceName } from './device.ts';
import { isKnownNetwork, findKnownDevice } from './known-devices.ts';
import { requireAllowedName } from '#server/platform/http/display-names.ts';
import { hashPassword, verifyPassword, refuseWeak } from './passwords.ts';
import { removePerson } from './remove.ts';
import {
  addUser,
  changePassword,
  changeSettings,
  endSession,
  presentUser,
  listSessions,
  findUserByEmail,
  getSettings,
  presentSettings,
} from './store.ts';
import { createArchive, exportAccount } from './export.ts';
import { nameAndEmailRoutes } from './name-and-email.ts';
import { recoveryRoutes } from './recovery.ts';
import { signDeviceIn } from './sign-in.ts';
import { runUnrecordedWrite } from './unrecorded-write.ts';

const WRONG_CREDENTIALS = 'The e-mail or the password is wrong';

function registerRoute(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.register,
    summary: 'Makes an account and signs the device in',
    access: publicAccess(),
    body: registerBody,
    responses: { 201: signedIn },
    handler: async ({ body, now, request }) => {
      await app.deps.sharedLimiter.take(LIMIT.registrations, toNetwork(request.ip));
      requireAllowedName(body.name, 'name');
      refuseWeak(body.password, body);
      const passwordHash = await hashPassword(body.password);
      return runUnrecordedWrite(app, async (write) => {
        const { tx } = write;
        const user = await addUser(tx, {
          name: body.name,
          email: body.email,
          passwordHash,
          createdAt: now,
          mustConfirmEmail: app.deps.config.mustConfirmEmail,
        });
        if (user === null) throw invalid({ email: ['There is already an account with this e-mail. Sign in instead'] });
        await queueMail(tx, VERIFY, {}, { userId: user.id, address: user.email }, now);
        const { body: answer, headers } = await signDeviceIn(write, request, user, 'Welcome to Callboard', now);
        return created(answer, headers);
      });
    },
  });
}

/**
 * Returns the rate limits that a failed sign-in counts against. Guesses by others must not lock a person out, so a device known
 * to the account has its own counter, and networks from which the person has signed in are not limited by attempts from elsewhere.
 */
function getSignInLimits(
  email: string,
  network: string,
  device: string | null,
  isKnownNetwork: boolean,
): Use<'installation'>[] {
  if (device !== null) return [[LIMIT.failedSignInsOfDevice, `${email} ${device}`]];
  const ofNetwork: Use<'installation'>[] = [
    [LIMIT.failedSignInsFromNetwork, `${email} ${network}`],
    [LIMIT.failedSignInsOfNetwork, network],
  ];
  return isKnownNetwork ? ofNetwork : [...ofNetwork, [LIMIT.failedSignInsOfAccount, email]];
}

/** Tells a person that a device signed in that the account does not know. */
async function queueSignInMail(
  tx: Db,
  user: { id: number; email: string },
  request: FastifyRequest,
  timeZone: string | undefined,
  now: Date,
): Promise<void> {
  const params = {
    at: now.toISOString(),
    device: toDeviceName(request.headers['user-agent']),
    timeZone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : null,
  };
  await queueMail(tx, NEW_SIGN_IN, params, { userId: user.id, address: user.email }, now);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

function loginRoute(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.login,
    summary: 'Signs the device in',
    access: publicAccess(),
    body: loginBody,
    responses: { 200: signedIn },
    handler: async ({ body, db, now, request }) => {
      const network = toNetwork(request.ip);
      const user = await findUserByEmail(db, body.email);
      const device = await findKnownDevice(db, request, user?.id ?? 0);
      const isKnown = await isKnownNetwork(db, body.email, network);
      // Counted before the password is verified, so that concurrent guesses cannot exceed the limit.
      const count = (result: 'ok' | 'wrong' | 'limited') =>
        app.deps.metrics.signIns.inc({ method: 'password', result });
      const limits = getSignInLimits(body.email, network, device, isKnown);
      const refund = await app.deps.sharedLimiter.takeAll(limits).catch((error: unknown) => {
        count('limited');
        throw error;
      });
      if (!(await verifyPassword(user?.passwordHash ?? null, body.password)) || user === null) {
        count('wrong');
        throw invalid({ email: [WRONG_CREDENTIALS] });
      }
      await refund();
      const answer = await runUnrecordedWrite(app, async (write) => {
        if (device === null && user.signInMail) await queueSignInMail(write.tx, user, request, body.time_zone, now);
        const { body: signedInBody, headers } = await signDeviceIn(write, request, user, 'Welcome back', now);
        return ok(signedInBody, headers);
      });
      count('ok');
      return answer;
    },
  });
}

/**
 * Routes that require the current password. Their responses are not stored under an Idempotency-Key, because that would store a
 * digest of a body that contains a password.
 */
function passwordConfirmedRoutes(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.changePassword,
    summary: 'Changes the password and signs the other devices out',
    access: requiredAccount(),
    body: changePasswordBody,
    responses: { 200: messageOnly },
    handler: async ({ body, caller, now }) => {
      const stored = await confirmPassword(app, caller, body.current_password, 'current_password');
      refuseWeak(body.password, caller);
      const passwordHash = await hashPassword(body.password);
      return runUnrecordedWrite(app, async ({ tx, changes }) => {
        const isChanged = await changePassword(tx, changes, caller, stored, passwordHash);
        if (!isChanged)
          throw invalid({ current_password: ['Your password has just been changed elsewhere. Enter the new one'] });
        const { userId, email: address } = caller;
        await queueMail(tx, PASSWORD_CHANGED, { at: now.toISOString() }, { userId, address }, now);
        return ok({ message: 'Password changed' });
      });
    },
  });

  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.deleteAccount,
    summary: 'Deletes the account with everything in it',
    access: requiredAccount(),
    body: deleteAccountBody,
    responses: { 200: messageOnly },
    handler: async ({ body, caller, now }) => {
      await confirmPassword(app, caller, body.password, 'password');
      return runUnrecordedWrite(app, async ({ tx, changes }) => {
        await removePerson(tx, changes, caller.userId, now);
        await queueMail(tx, ACCOUNT_DELETED, { name: caller.name }, { userId: null, address: caller.email }, now);
        return ok({ message: 'Your account has been deleted' });
      });
    },
  });
}

/** Registration, sign-in, settings, sessions and the account itself. */
export function accountRoutes(app: FastifyInstance): void {
  recoveryRoutes(app);
  nameAndEmailRoutes(app);
  registerRoute(app);
  loginRoute(app);
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
    body: changeSettingsBody,
    responses: { 200: withRecord(settingsRecord) },
    handler: async ({ body, caller, db, changes }) => {
      const { read_receipts: readReceipts, sign_in_mail: signInMail } = body;
      await changeSettings(db, caller.userId, { readReceipts, signInMail });
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
      const { stream, lengthBytes } = createArchive(await exportAccount(db, app.deps.storage, caller), now);
      const name = `callboard-${caller.slug}-${now.toISOString().slice(0, 10)}.zip`;
      return ok(stream, {
        'content-type': 'application/zip',
        'content-length': String(lengthBytes),
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
    handler: async ({ caller }) => ok(presentUser(caller)),
  });

  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.logout,
    summary: 'Signs the device out; the token dies at once',
    access: requiredAccount(),
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
    params: z.object({ id: z.string() }),
    responses: { 200: messageOnly },
    handler: async ({ caller, params, db, changes }) => {
      const ended = await endSession(db, changes, caller.userId, requireId(params.id, 'session'));
      if (!ended) throw notFound('session');
      return ok({ message: 'This device has been signed out' });
    },
  });
}
