import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '#contract/records/account.ts';
import type { Deps } from '#server/platform/deps.ts';
import { forbidden } from '#server/platform/http/errors.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import type { WriteTransaction } from '#server/platform/http/write.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { SignInMethod, users } from '#server/platform/db/schema.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { NEW_SIGN_IN } from '#server/features/mail/templates/new-sign-in.ts';
import { toDeviceName } from './device.ts';
import { putDevice } from './devices.ts';
import { rememberDevice, rememberNetwork } from './known-devices.ts';
import { findPlace, readTimeZone } from './place.ts';
import { addSession, presentUser } from './store.ts';

/**
 * Signs the device of a request in and remembers it. Ends the person's oldest sessions if there are too many.
 * @param user locked by this transaction (`lockUser`): a password change or a removal at the same moment ends this session too, or comes first
 * @param method how the person proved who they are
 * @throws 403 if the account is being removed
 */
export async function signDeviceIn(
  { tx, changes }: WriteTransaction,
  request: FastifyRequest,
  user: typeof users.$inferSelect,
  message: string,
  now: Date,
  method: SignInMethod,
): Promise<{ body: SignedIn; headers: Record<string, string> }> {
  request.accountId = user.id;
  if (user.state === 'removing') throw forbidden('This account is being removed. An e-mail says what you can do');
  const name = toDeviceName(request.headers['user-agent']);
  const { nonce, cookie } = await rememberDevice(tx, request, user.id);
  const deviceId = await putDevice(tx, user.id, nonce, { name, place: findPlace(request) }, now);
  const { token, ended } = await addSession(tx, user.id, name, now, { method, deviceId });
  for (const id of ended) changes.publishSignOut(user.id, id);
  await rememberNetwork(tx, user.id, toNetwork(request.ip), now);
  return {
    body: { message, token, user: await presentUser(tx, { ...user, userId: user.id }, now) },
    headers: { 'set-cookie': cookie },
  };
}

/**
 * Whether a person is told by mail of a sign-in on a device that the account does not know. An account can be registered with somebody else's
 * address, and signing in with the right password is not limited: without this, it could fill that mailbox.
 */
export const isToldOfSignIn = async (
  { sharedLimiter }: Pick<Deps, 'sharedLimiter'>,
  { id, signInMail }: Pick<typeof users.$inferSelect, 'id' | 'signInMail'>,
): Promise<boolean> => signInMail && (await sharedLimiter.countIfLeft(LIMIT.signInMails, String(id)));

/** Tells a person that a device signed in that the account does not know. */
export async function queueSignInMail(
  tx: Db,
  user: Pick<typeof users.$inferSelect, 'id' | 'email'>,
  request: FastifyRequest,
  now: Date,
): Promise<void> {
  const params = {
    at: now.toISOString(),
    device: toDeviceName(request.headers['user-agent']),
    timeZone: readTimeZone(request),
    place: findPlace(request),
  };
  await queueMail(tx, NEW_SIGN_IN, params, { userId: user.id, address: user.email }, now);
}
