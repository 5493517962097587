import { Dexie, type DBCore } from 'dexie';
import type { AnyRow } from '#contract/section.ts';
import { readStoreCreatedAt } from '#db/store-created.ts';
import type { AccountDb } from '#db/database.ts';

/**
 * Aborts running transactions when the page enters the back/forward cache. WebKit freezes such a page with its transactions
 * still open, and until they end no other page can read or write the same data. A page that comes back repeats them, as
 * after any lost connection. Call this before the store is opened.
 * @param signal removes the listener
 */
export function abortTransactionsOnFreeze(db: AccountDb, signal: AbortSignal): void {
  const running = new Set<IDBTransaction>();
  db.use({
    stack: 'dbcore',
    name: 'running',
    create: (core): DBCore => ({
      ...core,
      transaction(...args) {
        const transaction = core.transaction(...args);
        if (!(transaction instanceof IDBTransaction)) return transaction;
        running.add(transaction);
        const forget = () => running.delete(transaction);
        transaction.addEventListener('complete', forget);
        transaction.addEventListener('abort', forget);
        return transaction;
      },
    }),
  });
  const abortAll = ({ persisted }: PageTransitionEvent) => {
    if (!persisted) return;
    for (const transaction of running) {
      try {
        transaction.abort();
      } catch (error) {
        // The transaction has ended, but its event has not been dispatched yet.
        if ((error as DOMException).name !== 'InvalidStateError') throw error;
      }
    }
  };
  addEventListener('pagehide', abortAll, { signal });
}

/**
 * Returns when this store was created, in milliseconds since the epoch. A new store is stamped with the current time; if it
 * replaces a store that held unsent changes, those are recorded as lost.
 */
export async function ensureStoreCreatedAt(db: AccountDb): Promise<number> {
  const createdAt = await readStoreCreatedAt(db);
  if (createdAt !== null) return createdAt;
  // On a new device local storage is empty too, so there is no marker to look for.
  const isKnown = Object.keys(localStorage).some((key) => key.startsWith('waiting'));
  const loss = isKnown && (await import('./pending-work-marker.ts')).recordLoss(db.userId);
  const at = Date.now();
  await db.meta.put(!loss || loss.isUnexpected ? { k: 'born', at, isNew: true } : { k: 'born', at });
  if (loss && loss.hasLost) await db.meta.put({ k: 'lost', devices: [] });
  return at;
}

/**
 * Stores a person's own profiles in the mirror of a store that was never pulled; the first pull brings the rest.
 * @param profiles as the server lists them; those of other people are left out
 * @returns whether the store now holds a profile
 */
export async function storeInitialProfiles(db: AccountDb, profiles: readonly AnyRow[]): Promise<boolean> {
  const own = profiles.filter((row) => String(row.user_id) === db.userId);
  return db.transaction('rw', db.records, db.cursors, async () => {
    // Another tab may have pulled in the meantime: its records are newer, and what they lack was deleted.
    const hasPulled = (await db.cursors.count()) > 0 || (await db.records.count()) > 0;
    if (hasPulled)
      return (await db.records.where('[type+id]').between(['profile', ''], ['profile', '\uffff']).count()) > 0;
    for (const body of own) {
      const version = typeof body.version === 'number' ? body.version : null;
      await db.records.put({ type: 'profile', id: String(body.id), parent: null, body, version });
    }
    return own.length > 0;
  });
}

/** Runs a query. If the connection to the store is lost, reopens it once, so that the screen and its forms stay open. */
async function readWithRecovery<T>(db: AccountDb, query: (db: AccountDb) => Promise<T>): Promise<T> {
  try {
    return await query(db);
  } catch (error) {
    // Closed on purpose, by signing out.
    if (db.hasBeenClosed()) throw error;
    return (await import('./store-loss.ts')).retryRead(db, query);
  }
}

/**
 * Calls `onValue` with the result of `query` now and after every change of what it read. Unlike Dexie's own live query,
 * this repeats a read that the browser aborts; Dexie drops it silently and the result stays stale until the next change.
 * @param onError called once if reading fails for good, which ends the subscription; closing the account is no error
 * @returns unsubscribes
 */
export function observeQuery<T>(
  db: AccountDb,
  query: (db: AccountDb) => Promise<T>,
  onValue: (value: T) => void,
  onError: (error: unknown) => void = (error) => reportError(error),
): () => void {
  // eslint-disable-next-line no-restricted-syntax -- the only place that may call it
  const subscription = Dexie.liveQuery(async () => readWithRecovery(db, query)).subscribe({
    next: onValue,
    error: onError,
  });
  return () => subscription.unsubscribe();
}
