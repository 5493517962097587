import type { FastifyInstance } from 'fastify';
import type { Caller } from '#server/platform/http/caller.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { verifyPassword } from './passwords.ts';
import { getPasswordHash } from './store.ts';

/**
 * Verifies the caller's current password. Failed sign-ins by strangers do not count here.
 * @returns the stored hash that it was verified against
 * @throws 422 naming `field`, 429
 */
export async function confirmPassword(
  app: FastifyInstance,
  caller: Pick<Caller, 'userId'>,
  password: string,
  field: string,
): Promise<string> {
  const { db, sharedLimiter } = app.deps;
  const refund = await sharedLimiter.take(LIMIT.failedConfirmations, String(caller.userId));
  const stored = await getPasswordHash(db, caller.userId);
  if (stored === null || !(await verifyPassword(stored, password))) {
    throw invalid({ [field]: ['This is not your current password'] });
  }
  await refund();
  return stored;
}
