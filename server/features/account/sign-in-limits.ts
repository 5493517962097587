import type { FastifyRequest } from 'fastify';
import type { Deps } from '#server/platform/deps.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { LIMIT, type Use } from '#server/platform/http/limits.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import { findKnownDevice, isKnownNetwork } from './known-devices.ts';

type SignInUse = Use<'installation'>;

/**
 * Returns the rate limits that a failed sign-in counts against. Guesses by others must not lock a person out, so a device known
 * to the account has its own counter, and networks from which the person has signed in are not limited by attempts from elsewhere.
 * @param user the person with this address; null if there is none
 */
export async function getSignInUses(
  { db }: Pick<Deps, 'db'>,
  request: FastifyRequest,
  email: string,
  user: { id: number } | null,
): Promise<{ uses: SignInUse[]; isKnownDevice: boolean }> {
  const network = toNetwork(request.ip);
  const device = await findKnownDevice(db, request, user?.id ?? 0);
  if (device !== null) return { uses: [[LIMIT.failedSignInsOfDevice, `${email} ${device}`]], isKnownDevice: true };
  const uses: SignInUse[] = [
    [LIMIT.failedSignInsFromNetwork, `${email} ${network}`],
    [LIMIT.failedSignInsOfNetwork, network],
  ];
  if (!(await isKnownNetwork(db, email, network))) uses.push([LIMIT.failedSignInsOfAccount, email]);
  return { uses, isKnownDevice: false };
}

/**
 * Runs an attempt to sign in within these limits, and counts it in the metrics. It is counted as failed before it begins, so that
 * concurrent guesses cannot exceed the limits; an attempt that ends without a verdict, for example because too many hashes wait, is refunded.
 * @throws 429, and what the attempt throws
 */
export async function limitSignIn<T>(
  { sharedLimiter, metrics }: Pick<Deps, 'sharedLimiter' | 'metrics'>,
  method: 'password' | 'passkey' | 'recovery',
  uses: readonly SignInUse[],
  attempt: () => Promise<T>,
): Promise<T> {
  const count = (result: 'ok' | 'wrong' | 'limited') => metrics.signIns.inc({ method, result });
  const refund = await sharedLimiter.takeAll(uses).catch((error: unknown) => {
    count('limited');
    throw error;
  });
  try {
    const result = await attempt();
    await refund();
    count('ok');
    return result;
  } catch (error) {
    const isWrong = error instanceof HttpError && error.status === 422;
    if (isWrong) count('wrong');
    else await refund();
    throw error;
  }
}
