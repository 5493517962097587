import { Dexie } from 'dexie';
import type { AccountDb } from '#db/database.ts';

/**
 * Reads for a screen. A lost connection is opened again instead of turning the screen, and the form on it, into an error
 * page.
 */
export async function readSafely<T>(db: AccountDb, query: (db: AccountDb) => Promise<T>): Promise<T> {
  try {
    return await query(db);
  } catch (error) {
    // Closed on purpose: the person has signed out.
    if (db.hasBeenClosed()) throw error;
    return (await import('./store-loss.ts')).readAgain(db, query);
  }
}

/**
 * A live view of the store: `show` gets what `query` reads, now and after every change of what it has read. Dexie alone
 * drops a read that the browser aborts without a word, and the view then stays as it was until the next change.
 * @param onError the view ends with it; an account that was closed on purpose ends it without one
 * @returns ends the view
 */
export function watch<T>(
  db: AccountDb,
  query: (db: AccountDb) => Promise<T>,
  show: (value: T) => void,
  onError: (error: unknown) => void = (error) => reportError(error),
): () => void {
  // eslint-disable-next-line no-restricted-syntax -- the one place
  const view = Dexie.liveQuery(async () => readSafely(db, query)).subscribe({ next: show, error: onError });
  return () => view.unsubscribe();
}
