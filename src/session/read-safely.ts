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
