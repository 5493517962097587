import type { AccountDb } from '#db/database.ts';
import { getRequestedWaitMs } from './classify.ts';
import type { Clock, Ports, Transport } from '../ports.ts';

/** Number of sign-ins so far, to tell a refusal of the current token from a refusal of an older one. */
export async function countSignIns(db: AccountDb): Promise<number> {
  const row = await db.meta.get('sign-ins');
  return row?.k === 'sign-ins' ? row.count : 0;
}

/** The rest of a pause, ms; 0 when there is none, or when the clock went back since it started. */
async function getRestMs(db: AccountDb, pause: 'quiet' | 'suspended', now: number): Promise<number> {
  const row = await db.meta.get(pause);
  return row && 'until' in row && now >= row.since ? Math.max(0, row.until - now) : 0;
}

/**
 * The rest of the rate limit, ms; 0 when there is none.
 * @param isReading whether it is about reading, which goes on while the account is suspended
 */
export async function getRateLimitMs(db: AccountDb, now: number, isReading = false): Promise<number> {
  const ms = await getRestMs(db, 'quiet', now);
  return isReading ? ms : Math.max(ms, await getRestMs(db, 'suspended', now));
}

/** Starts a rate limit of `ms`, in which nothing is sent. Never shortens a running one. @param isSuspended see `getRateLimitMs` */
export async function startRateLimit(
  { db, clock }: { db: AccountDb; clock: Clock },
  ms: number,
  isSuspended = false,
): Promise<void> {
  const pause = isSuspended ? 'suspended' : 'quiet';
  await db.transaction('rw', db.meta, async () => {
    const now = clock.now();
    await db.meta.put({ k: pause, since: now, until: now + Math.max(ms, await getRestMs(db, pause, now)) });
  });
}

/**
 * Wraps the transport for requests outside the queue (pulls, receipts, older messages), so that they respect
 * `Retry-After` too. During a rate limit it sends nothing and returns a network error.
 */
export function limitTransport(db: AccountDb, { clock, transport }: Pick<Ports, 'clock' | 'transport'>): Transport {
  return {
    async send(request, options) {
      if ((await getRateLimitMs(db, clock.now(), true)) > 0) return { status: 0, reason: 'network' };
      const answer = await transport.send(request, options);
      const ms = getRequestedWaitMs(answer);
      if (ms !== null) await startRateLimit({ db, clock }, ms);
      return answer;
    },
  };
}

/**
 * Stops sending until the user signs in, after the server refused the token. Ignored if they signed in since the
 * request.
 */
export async function pauseForSignIn(
  { db, clock }: { db: AccountDb; clock: Clock },
  signInsThen: number,
): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    if ((await countSignIns(db)) === signInsThen) await db.meta.put({ k: 'auth-paused', at: clock.now() });
  });
}
