import type { FastifyInstance } from 'fastify';
import { eq } from 'drizzle-orm';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import {
  checkLinkBody,
  forgotPasswordBody,
  linkBody,
  linkRecord,
  resetPasswordBody,
  signedIn,
} from '#contract/records/account.ts';
import { findGuardian } from '#server/platform/access/guardians.ts';
import { users } from '#server/platform/db/schema.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import { ok, type RouteResponse } from '#server/platform/http/response.ts';
import { actionRoute, publicAccess, requiredAccount } from '#server/platform/http/route.ts';
import { messageOnly } from '#server/platform/http/schemas.ts';
import type { WriteTransaction } from '#server/platform/http/write.ts';
import type { LinkPurpose } from '#server/features/mail/kind.ts';
import { endLinks, findLink, spendLink, type Link } from '#server/features/mail/links.ts';
import { findMailParams, queueMail } from '#server/features/mail/queue.ts';
import { PASSKEY_ADDED } from '#server/features/mail/templates/passkey-added.ts';
import { PASSWORD_CHANGED } from '#server/features/mail/templates/password-changed.ts';
import { RESET } from '#server/features/mail/templates/reset.ts';
import { VERIFY } from '#server/features/mail/templates/verify.ts';
import { confirmAddress, CONFIRMED, replaceAddress, restoreAddress } from './addresses.ts';
import { hashPassword, refuseWeak } from './passwords.ts';
import { deletePasskey, deleteUnconfirmedWays } from './passkeys.ts';
import { deleteCodes } from './recovery-codes.ts';
import { signDeviceIn } from './sign-in.ts';
import { isAddressConfirmed } from '#server/platform/access/address-state.ts';
import { endAllSessions, findUserByEmail, lockUser } from './store.ts';
import { runUnrecordedWrite } from './unrecorded-write.ts';

const accepted = (message: string): RouteResponse => ({ status: 202, body: { message } });

function forgotRoute(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.forgotPassword,
    summary: 'Sends a link for a new password, if there is an account with this address',
    access: publicAccess(),
    body: forgotPasswordBody,
    responses: { 202: messageOnly },
    handler: async ({ body, db, now, request }) => {
      await app.deps.sharedLimiter.takeAll([
        [LIMIT.resetsOfAddress, body.email],
        [LIMIT.resetsOfNetwork, toNetwork(request.ip)],
      ]);
      // The work is the same for an unknown address, so that the time of the answer does not tell which addresses are known.
      await db.transaction(async (tx) => {
        const user = await findUserByEmail(tx, body.email);
        await queueMail(tx, RESET, {}, { userId: user?.id ?? null, address: user?.email ?? null }, now);
      });
      return accepted('If there is an account with this address, we’ve sent a link.');
    },
  });
}

function resetRoute(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.resetPassword,
    summary: 'Sets a new password with a link from a mail, ends all sessions, and signs this device in',
    access: publicAccess(),
    body: resetPasswordBody,
    responses: { 200: signedIn },
    handler: async ({ body, db, now, request }) => {
      await app.deps.sharedLimiter.take(LIMIT.linksOfNetwork, toNetwork(request.ip));
      const { name, address } = await findLink(db, body.token, ['reset'], now);
      refuseWeak(body.password, { name, email: address });
      const passwordHash = await hashPassword(body.password);
      const response = await runUnrecordedWrite(app, async (write) => {
        const { tx, changes } = write;
        const { userId } = await findLink(tx, body.token, ['reset'], now);
        // Other links for a new password may be in foreign hands too.
        await endLinks(tx, userId, 'reset');
        await endAllSessions(tx, changes, userId);
        await deleteUnconfirmedWays(tx, await lockUser(tx, userId));
        await tx.update(users).set({ passwordHash }).where(eq(users.id, userId));
        // Whoever has the link reads the mail of this address.
        const user = await confirmAddress(write, userId, now);
        await queueMail(tx, PASSWORD_CHANGED, { at: now.toISOString() }, { userId, address }, now);
        const { body: answer, headers } = await signDeviceIn(write, request, user, 'Password changed', now, 'reset');
        return ok(answer, headers);
      });
      app.deps.metrics.signIns.inc({ method: 'reset', result: 'ok' });
      return response;
    },
  });
}

interface LinkRoute {
  endpoint: (typeof ACCOUNT_CALLS)['verifyEmail' | 'secureAccount'];
  summary: string;
  purposes: readonly LinkPurpose[];
  /** Returns what the person is told. */
  act: (write: WriteTransaction, link: Link, now: Date) => Promise<string>;
}

/** A route that does what a link from a mail allows. A repeat succeeds as well, for example after a lost answer. */
function linkRoute(app: FastifyInstance, { endpoint, summary, purposes, act }: LinkRoute): void {
  actionRoute(app, {
    endpoint,
    summary,
    access: publicAccess(),
    body: linkBody,
    responses: { 200: messageOnly },
    handler: async ({ body, now, request }) => {
      await app.deps.sharedLimiter.take(LIMIT.linksOfNetwork, toNetwork(request.ip));
      return runUnrecordedWrite(app, async (write) => {
        const link = await findLink(write.tx, body.token, purposes, now, { isUsedAllowed: true });
        request.accountId = link.userId;
        await spendLink(write.tx, link, now);
        return ok({ message: await act(write, link, now) });
      });
    },
  });
}

function verifyRoutes(app: FastifyInstance): void {
  linkRoute(app, {
    endpoint: ACCOUNT_CALLS.verifyEmail,
    summary: 'Confirms an e-mail address, or a new one, with a link from a mail; signs nobody in',
    purposes: ['verify', 'change-email'],
    act: async (write, link, now) => {
      if (link.purpose === 'change-email') return replaceAddress(write, link, now);
      await confirmAddress(write, link.userId, now);
      return CONFIRMED;
    },
  });

  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.sendVerification,
    summary: 'Sends the link that confirms the caller’s e-mail address again',
    access: requiredAccount(),
    isOpenToSuspended: true,
    responses: { 202: messageOnly },
    handler: async ({ caller, db, now }) => {
      const { userId, email: address } = caller;
      if (isAddressConfirmed(caller)) return accepted('Your e-mail is confirmed already');
      await app.deps.sharedLimiter.take(LIMIT.verifications, String(userId));
      await db.transaction((tx) => queueMail(tx, VERIFY, {}, { userId, address }, now));
      return accepted(`We’ve sent a link to ${address}`);
    },
  });
}

/** Routes of the links in mails, for people who cannot sign in or must act at once. */
export function recoveryRoutes(app: FastifyInstance): void {
  forgotRoute(app);
  resetRoute(app);
  verifyRoutes(app);

  actionRoute(app, {
    endpoint: ACCOUNT_CALLS.checkLink,
    summary: 'Says whom a link from a mail is for; changes nothing',
    access: publicAccess(),
    body: checkLinkBody,
    responses: { 200: linkRecord },
    handler: async ({ body, db, now, request }) => {
      await app.deps.sharedLimiter.take(LIMIT.linksOfNetwork, toNetwork(request.ip));
      const { address, expiresAt, name, userId } = await findLink(db, body.token, [body.purpose], now);
      const guardian = body.purpose === 'guardian' ? await findGuardian(db, userId) : null;
      const child = guardian && { child: { name, state: guardian.state } };
      return ok({ email: address, expires_at: expiresAt.toISOString(), ...child });
    },
  });

  linkRoute(app, {
    endpoint: ACCOUNT_CALLS.secureAccount,
    summary:
      'Signs out all devices with a link from a mail, ends the recovery codes, and takes back what the mail was about: a passkey or a new e-mail address',
    purposes: ['secure', 'restore-email'],
    act: async ({ tx, changes }, link, now) => {
      await endAllSessions(tx, changes, link.userId);
      const added = await findMailParams(tx, PASSKEY_ADDED, link);
      if (added) await deletePasskey(tx, link.userId, added.passkey);
      // Codes sign in without the password, also after a new one. Those made since the link was used stay when it is opened again.
      if (link.usedAt === null) await deleteCodes(tx, link.userId);
      return restoreAddress(tx, link, now);
    },
  });
}
