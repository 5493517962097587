import type { AccountDb } from './database.ts';

/**
 * Whether this device has completed a pull. Before that, an empty list means nothing.
 */
export async function isPulled(db: AccountDb): Promise<boolean> {
  return (await db.meta.get('pulled')) !== undefined || (await db.cursors.get('sync')) !== undefined;
}
