import type { AccountDb } from '#db/database.ts';
import { getRequestedWaitMs } from './classify.ts';
import type { Clock, Ports, Transport } from '../ports.ts';

/** Sign-ins so far: tells a refusal of this token from one of an older. */
export async function countSignIns(db: AccountDb): Promise<number> {
  const row = await db.meta.get('sign-ins');
  return row?.k === 'sign-ins' ? row.count : 0;
}

/** How long the server still wants quiet; 0 where it does not, or where the clock went back since it asked. */
export async function getRateLimitMs(db: AccountDb, now: number): Promise<number> {
  const quiet = await db.meta.get('quiet');
  return quiet?.k === 'quiet' && now >= quiet.since ? Math.max(0, quiet.until - now) : 0;
}

/** Nothing leaves for this long: the server asked for it. Of two answers that ask, the longer counts, whichever is heard last. */
export async function startRateLimit({ db, clock }: { db: AccountDb; clock: Clock }, ms: number): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const now = clock.now();
    await db.meta.put({ k: 'quiet', since: now, until: now + Math.max(ms, await getRateLimitMs(db, now)) });
  });
}

/**
 * The transport of everything beside the queue (pulls, receipts, older messages): it heeds `Retry-After` as the queue
 * does. While the server wants quiet it sends nothing and answers as if there were no network.
 */
export function limitTransport(db: AccountDb, { clock, transport }: Pick<Ports, 'clock' | 'transport'>): Transport {
  return {
    async send(request, options) {
      if ((await getRateLimitMs(db, clock.now())) > 0) return { status: 0, reason: 'network' };
      const answer = await transport.send(request, options);
      const ms = getRequestedWaitMs(answer);
      if (ms !== null) await startRateLimit({ db, clock }, ms);
      return answer;
    },
  };
}

/** The token was refused: nothing leaves until the person signs in, unless they have done so since the call left. */
export async function pauseForSignIn(
  { db, clock }: { db: AccountDb; clock: Clock },
  signInsThen: number,
): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    if ((await countSignIns(db)) === signInsThen) await db.meta.put({ k: 'auth-paused', at: clock.now() });
  });
}
