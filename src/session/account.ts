import { Dexie } from 'dexie';
import type { User } from '#contract/records/account.ts';
import { AccountDb, accountDbName } from '#db/database.ts';
import { queueSummary } from '#db/queries.ts';
import { forgetShared } from '#lib/shared-files.ts';
import { forgetStoredMedia } from '#lib/stored-media.ts';
import { API_BASE, reach } from '#net/client.ts';
import type { Engine } from '#sync/engine.ts';
import { afterPaint } from '#ui/after-paint.ts';
import { clearCanary, readCanary, writeCanary } from './canary.ts';
import { lateEngine } from './late-engine.ts';

export interface Account {
  user: User;
  db: AccountDb;
  engine: Engine;
  /** Changes that a vanished store took with it; the app says so plainly. 0 as a rule. */
  lostChanges: number;
  close(): Promise<void>;
}

const RETRY_MS = 20_000;

/** Opens a person's store, has its engine start once the page has painted, and ties it to what the browser tells of network and screen. */
export async function openAccount(user: User): Promise<Account> {
  const db = new AccountDb(accountDbName(API_BASE, user.id), user.id);
  await db.open();
  const lostChanges = await checkCanary(db);
  const control = new AbortController();
  const { signal } = control;
  const engine = lateEngine(db, async () => (await import('./page-engine.ts')).pageEngine(db, askForWake, signal));
  addEventListener('online', () => engine.poke('online'), { signal });
  addEventListener('pageshow', () => engine.poke('visible'), { signal });
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'visible' && engine.poke('visible'),
    { signal },
  );
  // With nothing to send, only a look tells that the server is back.
  const look = setInterval(() => !reach.get() && navigator.onLine && void engine.pull(), RETRY_MS);
  signal.addEventListener('abort', () => clearInterval(look));
  // One answer after a silence, whatever it was to: everything that waited for signal goes now, not when its turn comes.
  const stopWatching = reach.subscribe(() => reach.get() && engine.poke('online'));
  signal.addEventListener('abort', stopWatching);
  const counted = Dexie.liveQuery(async () => queueSummary(db)).subscribe(({ waiting, sending, needs }) =>
    writeCanary({ userId: user.id, pending: waiting + sending + needs }),
  );
  signal.addEventListener('abort', () => counted.unsubscribe());
  engine.start();
  afterPaint(() => {
    if (!signal.aborted)
      import('./live.ts').then(({ keepLive }) => keepLive(user.id, engine, signal)).catch(console.warn);
  });
  return {
    user,
    db,
    engine,
    lostChanges,
    async close() {
      control.abort();
      await engine.stop();
      db.close();
    },
  };
}

async function checkCanary(db: AccountDb): Promise<number> {
  if (await db.meta.get('born')) return 0;
  const canary = readCanary();
  await db.meta.put({ k: 'born', at: Date.now() });
  return canary?.userId === db.userId ? canary.pending : 0;
}

let asked = false;
/** A wake-up in the background where the browser has one, and its promise to keep what is stored. */
function askForWake(): void {
  void navigator.serviceWorker?.ready.then((registration) => {
    const { sync } = registration as ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };
    // Refused where the person switched background work off: the page sends on its own.
    sync?.register('outbox').catch(() => undefined);
  });
  if (asked) return;
  asked = true;
  void navigator.storage?.persist?.();
}

/**
 * What sign-out leaves on the device: nothing, or, where the person chose to keep it, the unsent changes with their ids
 * and bytes. Works without a network.
 */
export async function wipe(account: Account, keepUnsent: boolean): Promise<void> {
  const { db } = account;
  await account.close();
  await Promise.all([forgetStoredMedia(), forgetShared()]);
  if (!keepUnsent) {
    await db.delete();
    clearCanary();
    return;
  }
  await db.open();
  const others = [db.records, db.visited, db.seen, db.messages, db.readings, db.cursors, db.journal];
  await db.transaction('rw', [...others, db.meta, db.media, db.outbox], async () => {
    const rows = await db.outbox.toArray();
    const needed = new Set(rows.flatMap((row) => [row.target, ...row.deps]));
    for (const table of others) await table.clear();
    await db.media.filter((file) => !needed.has(file.id)).delete();
    await db.meta.bulkDelete(['lease', 'auth-paused', 'quiet', 'searches', 'suggestions']);
  });
  db.close();
}
