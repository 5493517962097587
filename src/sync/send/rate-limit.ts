import type { AccountDb } from '#db/database.ts';
import { getRequestedWaitMs } from './classify.ts';
import type { Clock, Ports, Transport } from '../ports.ts';

/** Number of sign-ins so far, to tell a refusal of the current token from a refusal of an older one. */
export async function countSignIns(db: AccountDb): Promise<number> {
  const row = await db.meta.get('sign-ins');
  return row?.k === 'sign-ins' ? row.count : 0;
}

/**
 * The rest of the rate limit, ms; 0 when there is none, or when the clock went back since it started.
 * @param isReading whether it is about reading, which goes on while the account is suspended
 */
export async function getRateLimitMs(db: AccountDb, now: number, isReading = false): Promise<number> {
  const quiet = await db.meta.get('quiet');
  if (quiet?.k !== 'quiet' || now < quiet.since || (isReading && quiet.isSuspended)) return 0;
  return Math.max(0, quiet.until - now);
}

/** Starts a rate limit of `ms`, in which nothing is sent. Never shortens a running one. */
export async function startRateLimit(
  { db, clock }: { db: AccountDb; clock: Clock },
  ms: number,
  isSuspended?: boolean,
): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const now = clock.now();
    const until = now + Math.max(ms, await getRateLimitMs(db, now));
    await db.meta.put({ k: 'quiet', since: now, until, isSuspended });
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
