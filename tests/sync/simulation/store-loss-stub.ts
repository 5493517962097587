import type { AccountDb } from '#db/database.ts';
import { retryOnStorageLoss, StorageError } from '#sync/storage-error.ts';

/** Replaces src/open-store/store-loss.ts in the simulation, because that module reloads a window. */

let reload: () => void = () => undefined;

/** Sets the function that reloads pages whose store is gone. */
export function reloadBy(call: () => void): void {
  reload = call;
}

/** @public src/open-store/store-watch.ts imports it in the bundle that bundle.ts builds */
export function handleStoreLoss(reason: string): void {
  if (reason === 'gone') reload();
}

/** @public imported in the same way */
export async function retryRead<T>(db: AccountDb, query: (db: AccountDb) => Promise<T>): Promise<T> {
  try {
    return await retryOnStorageLoss(db, async () => query(db));
  } catch (error) {
    if (error instanceof StorageError) return new Promise<never>(() => undefined);
    throw error;
  }
}
