import type { FastifyRequest } from 'fastify';
import type { Db } from '#server/platform/db/connect.ts';
import { LIMIT, toNetwork, type RateLimiter } from '#server/platform/http/rate-limiter.ts';
import { findKnownDevice, isKnownNetwork } from './known-devices.ts';

/**
 * Returns the rate limits that a failed sign-in counts against. Guesses by others must not lock a person out, so a device known
 * to the account has its own counter, and networks from which the person has signed in are not limited by attempts from elsewhere.
 */
function getSignInLimits(email: string, network: string, device: string | null, isKnown: boolean) {
  if (device !== null) return [[LIMIT.failedSignInsOfDevice, `${email} ${device}`]] as const;
  const ofNetwork = [
    [LIMIT.failedSignInsOfNetwork, network],
    [LIMIT.failedSignInsFromNetwork, `${email} ${network}`],
  ] as const;
  return isKnown ? ofNetwork : ([...ofNetwork, [LIMIT.failedSignInsOfAccount, email]] as const);
}

/**
 * Counts a sign-in as failed. It is counted before the password or code is verified, so that concurrent guesses cannot exceed the limit.
 * @param user the person with this address; null if there is none
 * @returns whether the account knows the device, and a function to call when the sign-in succeeds
 * @throws 429
 */
export async function countSignIn(
  { db, limiter }: { db: Db; limiter: RateLimiter },
  request: FastifyRequest,
  email: string,
  user: { id: number } | null,
): Promise<{ isKnownDevice: boolean; refund: () => void }> {
  const network = toNetwork(request.ip);
  const device = await findKnownDevice(db, request, user?.id ?? 0);
  const isKnown = await isKnownNetwork(db, email, network);
  const refund = limiter.takeAll(getSignInLimits(email, network, device, isKnown));
  return { isKnownDevice: device !== null, refund };
}
