import type { AccountDb } from '#db/database.ts';

interface Room {
  neededBytes: number;
  freeBytes: number;
}

/** The device could not store a change. The app did not report it as saved, and the form still has the user's input. */
export class StorageError extends Error {
  /**
   * full: no space left. refused: the browser forbids storage. lost: the connection broke and could not be reopened.
   */
  readonly reason: 'full' | 'refused' | 'lost';
  /** What a file needed and what there was, if that was known before it was stored. */
  readonly room: Room | undefined;
  constructor(reason: 'full' | 'refused' | 'lost', cause?: unknown, room?: Room) {
    super(`Storage ${reason}`, { cause });
    this.name = 'StorageError';
    this.reason = reason;
    this.room = room;
  }
}

/** Whether the storage itself failed, as opposed to the code that used it. */
export const isStorageFailure = (error: unknown): boolean =>
  error instanceof StorageError || [FULL, REFUSED, LOST].some((names) => names.has(nameOf(error)));

function nameOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return '';
  const { name, inner, failures } = error as { name?: unknown; inner?: unknown; failures?: unknown[] };
  // A bulk write lists one failure per row, all with the same cause.
  if (failures?.length) return nameOf(failures[0]);
  return name === 'AbortError' && inner != null ? nameOf(inner) : String(name).replace(/Error$/, '');
}

// Browsers and Dexie use the same names, with and without 'Error' at the end.
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
 * A committed write can still be reported as lost. A retry with the same ids finds it in the store, so only a loss on
 * the last try leaves the outcome unknown. The error is then shown although the write may be stored, and this must be
 * rare.
 */
const MAX_TRIES = 3;

/**
 * Runs a write on the store. After a lost connection (iOS drops it in the background) it reopens the store and tries
 * again, three times in all. When the disk is full it drops caches and tries once more. Then it throws StorageError.
 * Other errors are bugs and are rethrown. `work` must be safe to repeat: generate ids outside.
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

/** Runs a read, and repeats it over a new connection if the first was lost. Never reopens a store closed on purpose. */
export async function retryReadOnStorageLoss<T>(db: AccountDb, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (db.hasBeenClosed()) throw error;
    return retryOnStorageLoss(db, work);
  }
}
