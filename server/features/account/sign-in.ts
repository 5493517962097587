import type { FastifyRequest } from 'fastify';
import type { SignedIn } from '#contract/records/account.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import type { WriteTransaction } from '#server/platform/http/write.ts';
import type { users } from '#server/platform/db/schema.ts';
import { toDeviceName } from './device.ts';
import { rememberSignIn } from './known-devices.ts';
import { addSession, presentUser } from './store.ts';

/** Signs the device of a request in and remembers it. Ends the person's oldest sessions if there are too many. */
export async function signDeviceIn(
  { tx, changes }: WriteTransaction,
  request: FastifyRequest,
  user: typeof users.$inferSelect,
  message: string,
  now: Date,
): Promise<{ body: SignedIn; headers: Record<string, string> }> {
  const { token, ended } = await addSession(tx, user.id, toDeviceName(request.headers['user-agent']), now);
  for (const id of ended) changes.publishSignOut(user.id, id);
  const headers = await rememberSignIn(tx, request, user.id, toNetwork(request.ip), now);
  return { body: { message, token, user: presentUser({ ...user, userId: user.id }) }, headers };
}
