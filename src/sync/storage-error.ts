import type { AccountDb } from '#db/database.ts';

/** The device could not keep something. Nothing was claimed saved; what was typed is still in the form. */
export class StorageError extends Error {
  /** full: no room left. refused: the browser forbids storage here. lost: the store went away and would not reopen. */
  readonly reason: 'full' | 'refused' | 'lost';
  constructor(reason: 'full' | 'refused' | 'lost', cause?: unknown) {
    super(`Storage ${reason}`, { cause });
    this.name = 'StorageError';
    this.reason = reason;
  }
}

/** Whether the store failed, and not what was done with it. */
export const isStorageFailure = (error: unknown): boolean =>
  error instanceof StorageError || [FULL, REFUSED, LOST].some((names) => names.has(nameOf(error)));

function nameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { name, inner, failures } = error as { name?: unknown; inner?: unknown; failures?: unknown[] };
  // Of several rows, which fail alike.
  if (failures?.length) return nameOf(failures[0]);
  return name === 'AbortError' && inner != null ? nameOf(inner) : String(name).replace(/Error$/, '');
}

// Browsers and Dexie give the same names, with and without 'Error' at the end.
const FULL = new Set(['QuotaExceeded']);
const REFUSED = new Set(['Security', 'MissingAPI']);
const LOST = new Set([
  'DatabaseClosed',
  'InvalidState',
  'Unknown',
  'Abort',
  'OpenFailed',
  'TransactionInactive',
  'Timeout',
]);

/**
 * A write whose commit went through can still be reported as lost. Another try with the same ids finds it there, so the
 * tries before the last one doubt nothing; the last one ends in words that may be wrong, and must be rare.
 */
const MAX_TRIES = 3;

/**
 * Runs a write of the store. A lost connection (iOS drops it in the background) is opened again and the write tried
 * again, up to three times in all; a full disk gets its caches dropped and one more try. Then: StorageError. Other
 * errors are bugs and pass. `work` must be safe to repeat: mint ids outside.
 */
export async function retryOnStorageLoss<T>(
  db: AccountDb,
  work: () => Promise<T>,
  dropCaches?: () => Promise<void>,
): Promise<T> {
  let hasMadeRoom = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const name = nameOf(error);
      if (REFUSED.has(name)) throw new StorageError('refused', error);
      if (FULL.has(name)) {
        if (hasMadeRoom) throw new StorageError('full', error);
        hasMadeRoom = true;
        await dropCaches?.();
        continue;
      }
      if (!LOST.has(name)) throw error;
      if (tries >= MAX_TRIES) throw lost(db, error);
      await reopen(db);
    }
  }
}

function lost(db: AccountDb, error: unknown): StorageError {
  db.onConnectionLost();
  return new StorageError('lost', error);
}

async function reopen(db: AccountDb): Promise<void> {
  try {
    db.close({ disableAutoOpen: false });
    await db.open();
  } catch (error) {
    throw lost(db, error);
  }
}

/** A read, once more over a reopened connection where the first one was lost. A store closed on purpose stays closed. */
export async function retryReadOnStorageLoss<T>(db: AccountDb, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (db.hasBeenClosed()) throw error;
    return retryOnStorageLoss(db, work);
  }
}
