import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '#contract/records/account.ts';
import { forbidden } from '#server/platform/http/errors.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import type { WriteTransaction } from '#server/platform/http/write.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { SignInMethod, users } from '#server/platform/db/schema.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { NEW_SIGN_IN } from '#server/features/mail/templates/new-sign-in.ts';
import { toDeviceName } from './device.ts';
import { rememberSignIn } from './known-devices.ts';
import { addSession, presentUser } from './store.ts';

/**
 * Signs the device of a request in and remembers it. Ends the person's oldest sessions if there are too many.
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
  if (user.state === 'removing') throw forbidden('This account is being removed. An e-mail says what you can do');
  const { token, ended } = await addSession(tx, user.id, toDeviceName(request.headers['user-agent']), now, method);
  for (const id of ended) changes.publishSignOut(user.id, id);
  const headers = await rememberSignIn(tx, request, user.id, toNetwork(request.ip), now);
  return { body: { message, token, user: presentUser({ ...user, userId: user.id }) }, headers };
}

/** Tells a person that a device signed in that the account does not know, unless they switched that off. */
export async function queueSignInMail(
  tx: Db,
  user: Pick<typeof users.$inferSelect, 'id' | 'email' | 'signInMail'>,
  request: FastifyRequest,
  timeZone: string | undefined,
  now: Date,
): Promise<void> {
  if (!user.signInMail) return;
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
