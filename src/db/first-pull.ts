import type { AccountDb } from './database.ts';

/**
 * Whether all that the server has for this person has been on this device once. Before that an empty list means nothing.
 */
export async function isPulled(db: AccountDb): Promise<boolean> {
  return (await db.meta.get('pulled')) !== undefined || (await db.cursors.get('sync')) !== undefined;
}
