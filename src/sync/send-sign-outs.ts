import { PENDING_HEADER } from '#contract/pending.ts';
import { dropPendingSignOut, readPendingSignOuts, type PendingSignOut } from '#db/pending-sign-outs.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';

const TIMEOUT_MS = 15_000;

/**
 * Whether our server confirmed that the session has ended: just now, or earlier, since it no longer knows the token.
 */
function isOver(answer: WireAnswer): boolean {
  if ('reason' in answer || answer.redirected) return false;
  // A captive portal or a gateway may answer with its own page under any status.
  const isOurs = typeof answer.body === 'object' && answer.body !== null && 'message' in answer.body;
  return isOurs && (answer.status === 200 || answer.status === 401 || answer.status === 419);
}

/**
 * Ends the sessions that were signed out offline. A sign-out that the server did not confirm stays for the next call.
 * @param send sends a request with the token of the given sign-out
 * @returns how many sign-outs are left
 */
export async function sendSignOuts(
  send: (request: WireRequest, farewell: PendingSignOut) => Promise<WireAnswer>,
): Promise<number> {
  let left = 0;
  for (const farewell of await readPendingSignOuts()) {
    const headers: WireRequest['headers'] = farewell.hasDiscarded ? { [PENDING_HEADER]: '0' } : {};
    const request: WireRequest = { method: 'POST', path: '/logout', headers, timeoutMs: TIMEOUT_MS };
    if (isOver(await send(request, farewell))) await dropPendingSignOut(farewell.token);
    else left += 1;
  }
  return left;
}
