'fetched first by members';

import type { User } from '#contract/records/account.ts';
import { AccountDb, accountDbName } from '#db/database.ts';
import { API_BASE, currentSender, reach } from '#net/client.ts';
import type { Engine } from '#sync/engine.ts';
import { afterPaint, holdBack } from '#ui/after-paint.ts';
import { birthOf } from './birth.ts';
import { freeStoreWhenLeft } from './free-store.ts';
import { lateEngine } from './late-engine.ts';

export interface Account {
  user: User;
  db: AccountDb;
  engine: Engine;
  /** A vanished store took unsent changes with it, and the person has not been told. */
  hasLost: boolean;
  /** On a device that is new to this person: true once their profile is here, false if it could not be had. Else null. */
  firstLook: Promise<boolean> | null;
  close(): Promise<void>;
}

const RETRY_MS = 20_000;

/** Opens a person's store, has its engine start once the page has painted, and ties it to what the browser tells of network and screen. */
export async function openAccount(user: User): Promise<Account> {
  const db = new AccountDb(accountDbName(API_BASE, user.id), user.id);
  db.on('blocked', () => void import('./store-loss.ts').then(({ tellBlocked }) => tellBlocked(db), reportError));
  const control = new AbortController();
  const { signal } = control;
  freeStoreWhenLeft(db, signal);
  await db.open();
  const [born, cursors] = await Promise.all([birthOf(db), db.cursors.count()]);
  const firstLook = cursors === 0 ? lookFirst(db) : null;
  if (firstLook) holdBack(firstLook);
  const hasLost = localStorage.getItem(`lost:${user.id}`) !== null;
  if (Object.keys(localStorage).some((key) => key.startsWith('draft:')))
    await (await import('./drafts.ts')).restoreDrafts(db, Date.now());
  const engine = lateEngine(db, async () => (await import('./page-engine.ts')).pageEngine(db, signal));
  addEventListener('online', () => engine.wake('online'), { signal });
  addEventListener('pageshow', () => engine.wake('visible'), { signal });
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'visible' && engine.wake('visible'),
    { signal },
  );
  // With nothing to send, only a look tells that the server is back.
  const look = setInterval(() => !reach.get() && navigator.onLine && void engine.pull(), RETRY_MS);
  signal.addEventListener('abort', () => clearInterval(look));
  // One answer after a silence, whatever it was to: everything that waited for signal goes now, not when its turn comes.
  const stopWatching = reach.subscribe(() => reach.get() && engine.wake('online'));
  signal.addEventListener('abort', stopWatching);
  engine.start();
  afterPaint(() => {
    if (signal.aborted) return;
    // Signing out must work where nothing can be fetched any more.
    import('./wipe.ts').catch(console.warn);
    import('./live.ts').then(({ keepLive }) => keepLive(user.id, engine, signal)).catch(console.warn);
    import('./store-watch.ts')
      .then(({ watchStore }) => watchStore(db, born, signal, () => void engine.stop()))
      .catch(reportError);
  });
  return {
    user,
    db,
    engine,
    hasLost,
    firstLook,
    async close() {
      control.abort();
      await engine.stop();
      db.close();
    },
  };
}

/** True once the person's profile is here. Never rejects: the engine asks again, and says what is wrong. */
async function lookFirst(db: AccountDb): Promise<boolean> {
  const token = currentSender()?.token;
  if (token === undefined) return false;
  try {
    const { firstLook } = await import('./first-look.ts');
    return await firstLook(db, token);
  } catch (error) {
    console.warn('The first look at the server failed', error);
    return false;
  }
}
