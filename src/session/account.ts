import type { User } from '#contract/records/account.ts';
import { AccountDb, accountDbName } from '#db/database.ts';
import { API_BASE, currentSender, reachability } from '#net/client.ts';
import type { Engine } from '#sync/engine.ts';
import { afterPaint, delayAfterPaint } from '#ui/after-paint.ts';
import { createLazyEngine } from './lazy-engine.ts';
import { abortTransactionsOnFreeze, ensureStoreCreatedAt, storeInitialProfiles } from '#open-store/store.ts';

export interface Account {
  user: User;
  db: AccountDb;
  engine: Engine;
  /**
   * On a device that is new to this person: resolves to true once their profile is stored, to false if it could not be
   * fetched. Null on a known device.
   */
  initialFetch: Promise<boolean> | null;
  close(): Promise<void>;
}

/** What the layers above the session add to an open account. Their code is loaded only when it is needed. */
export interface AccountExtensions {
  /** Moves drafts from local storage into the store. Called before the account is used, and only if there are some. */
  restoreDrafts(db: AccountDb): Promise<void>;
  /** Loads the tasks that start together with the engine. */
  loadBackgroundTasks(): Promise<{ startBackgroundTasks(db: AccountDb, signal: AbortSignal): void }>;
}

const OFFLINE_PROBE_INTERVAL_MS = 20_000;

/**
 * Opens a person's store, connects the engine to the browser's network and visibility events, and starts the engine once
 * the page has painted. Rejects if the store cannot be opened.
 */
export async function openAccount(user: User, extensions: AccountExtensions): Promise<Account> {
  const db = new AccountDb(accountDbName(API_BASE, user.id), user.id);
  const control = new AbortController();
  const { signal } = control;
  db.on('blocked', () => {
    // Deleting the store at sign-out may wait a moment for the worker, which has nothing to do with other tabs.
    if (signal.aborted) return;
    void import('#open-store/store-loss.ts').then(({ askToCloseOtherTabs }) => askToCloseOtherTabs(db), reportError);
  });
  abortTransactionsOnFreeze(db, signal);
  await db.open();
  const [createdAt, cursorCount] = await Promise.all([ensureStoreCreatedAt(db), db.cursors.count()]);
  const initialFetch = cursorCount === 0 ? fetchInitialProfiles(db) : null;
  if (initialFetch) delayAfterPaint(initialFetch);
  if (Object.keys(localStorage).some((key) => key.startsWith('draft:'))) await extensions.restoreDrafts(db);
  const engine = createLazyEngine(db, async () => {
    const [{ createPageEngine }, { startBackgroundTasks }] = await Promise.all([
      import('./page-engine.ts'),
      extensions.loadBackgroundTasks(),
    ]);
    startBackgroundTasks(db, signal);
    return createPageEngine(db, signal);
  });
  addEventListener('online', () => engine.wake('online'), { signal });
  addEventListener('pageshow', () => engine.wake('visible'), { signal });
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'visible' && engine.wake('visible'),
    { signal },
  );
  // With nothing to send, only a probe shows that the server is back.
  const probe = setInterval(
    () => !reachability.get() && navigator.onLine && void engine.pull(),
    OFFLINE_PROBE_INTERVAL_MS,
  );
  signal.addEventListener('abort', () => clearInterval(probe));
  // The first answer after an outage, to any request, sends everything that waits for a network at once.
  const stopWatching = reachability.subscribe(() => reachability.get() && engine.wake('online'));
  signal.addEventListener('abort', stopWatching);
  engine.start();
  afterPaint(() => {
    if (signal.aborted) return;
    // Loaded ahead, because signing out must work offline.
    import('./wipe.ts').catch(console.warn);
    import('./live.ts').then(({ startLiveUpdates }) => startLiveUpdates(user.id, engine, signal)).catch(console.warn);
    import('#open-store/store-watch.ts')
      .then(({ watchStore }) => watchStore(db, createdAt, signal, () => void engine.stop()))
      .catch(reportError);
  });
  return {
    user,
    db,
    engine,
    initialFetch,
    async close() {
      control.abort();
      await engine.stop();
      db.close();
    },
  };
}

/** Resolves to true once the person's profile is stored. Never rejects: the engine retries and reports failures. */
async function fetchInitialProfiles(db: AccountDb): Promise<boolean> {
  const token = currentSender()?.token;
  if (token === undefined) return false;
  try {
    const { fetchProfiles } = await import('#net/initial-fetch.ts');
    const profiles = await fetchProfiles(token);
    return profiles !== null && (await storeInitialProfiles(db, profiles));
  } catch (error) {
    console.warn('The profile could not be fetched for the first page', error);
    return false;
  }
}
