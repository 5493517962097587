import { dropPendingSignOut, readPendingSignOuts, type PendingSignOut } from '#db/pending-sign-outs.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';

const TIMEOUT_MS = 15_000;

/** Whether the server itself says that the session is over: ended now, or not known any more. */
function isOver(answer: WireAnswer): boolean {
  if ('reason' in answer || answer.redirected) return false;
  // A portal or a gateway answers with pages of its own, and with any status.
  const isOurs = typeof answer.body === 'object' && answer.body !== null && 'message' in answer.body;
  return isOurs && (answer.status === 200 || answer.status === 401 || answer.status === 419);
}

/**
 * Ends on the server the sessions that were left on this device without a connection. One that nobody answers for stays
 * for the next time.
 * @param send sends a request with a farewell's token
 * @returns how many are left
 */
export async function sendSignOuts(
  send: (request: WireRequest, farewell: PendingSignOut) => Promise<WireAnswer>,
): Promise<number> {
  const request: WireRequest = { method: 'POST', path: '/logout', headers: {}, timeoutMs: TIMEOUT_MS };
  let left = 0;
  for (const farewell of await readPendingSignOuts()) {
    if (isOver(await send(request, farewell))) await dropPendingSignOut(farewell.token);
    else left += 1;
  }
  return left;
}
