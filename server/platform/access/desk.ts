import type { Caller } from '#server/platform/http/caller.ts';
import { forbidden, notFound } from '#server/platform/http/errors.ts';

/** Whether the caller works at the moderation desk, in a session that was signed in with a passkey. */
export const isAtDesk = ({ role, state, method }: Pick<Caller, 'role' | 'state' | 'method'>): boolean =>
  role !== 'person' && state === 'active' && method === 'passkey';

/**
 * Opens the desk to those who work there. For everybody else it does not exist.
 * @throws 404, or 403 to somebody who works there but did not sign in with a passkey
 */
export function requireDesk(caller: Caller | null): Caller {
  if (caller === null || caller.role === 'person' || caller.state !== 'active') throw notFound('page');
  if (!isAtDesk(caller)) throw forbidden('Sign in with a passkey to open the desk');
  return caller;
}

/** @throws 404 to moderators */
export function requireOperator(caller: Caller | null): Caller {
  const worker = requireDesk(caller);
  if (worker.role !== 'operator') throw notFound('page');
  return worker;
}
