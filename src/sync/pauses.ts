import type { AccountDb } from '#db/database.ts';
import type { Clock } from './ports.ts';

/** Sign-ins so far: tells a refusal of this token from one of an older. */
export async function countSignIns(db: AccountDb): Promise<number> {
  const row = await db.meta.get('sign-ins');
  return row?.k === 'sign-ins' ? row.count : 0;
}

/** How long the server still wants quiet; 0 where it does not, or where the clock went back since it asked. */
export async function quietLeftMs(db: AccountDb, now: number): Promise<number> {
  const quiet = await db.meta.get('quiet');
  return quiet?.k === 'quiet' && now >= quiet.since ? Math.max(0, quiet.until - now) : 0;
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
