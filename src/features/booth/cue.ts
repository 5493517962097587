import type { AccountDb } from '#db/database.ts';
import { retryOnStorageLoss } from '#sync/storage-error.ts';

/**
 * The other person's lines, spoken by a reader. The booth plays them while a take is running. They stay on this device, and are removed at sign-out.
 */
export interface Cue {
  /** The name of the file, or when it was recorded. */
  name: string;
  sound: Blob;
  /** Ms since the epoch. Differs between two recordings. */
  savedAt: number;
}

export const CUE_MAX_BYTES = 20 * 1024 * 1024;
export const CUE_MAX_MINUTES = 10;

const getKey = (auditionId: string | null) =>
  auditionId === null ? 'booth-cue' : (`booth-cue:${auditionId}` as const);

/** @param auditionId the audition that takes are recorded for; null for the booth alone */
export async function readCue({ meta }: AccountDb, auditionId: string | null): Promise<Cue | null> {
  const row = await meta.get(getKey(auditionId));
  if (!row || !('bytes' in row) || !('savedAt' in row)) return null;
  return { name: row.name, sound: new Blob([row.bytes], { type: row.type }), savedAt: row.savedAt };
}

/**
 * Stores the lines instead of those that were there. Some browsers lose blobs that IndexedDB holds, so their bytes are stored.
 * @throws {StorageError}
 */
export async function saveCue(db: AccountDb, auditionId: string | null, { name, sound, savedAt }: Cue): Promise<void> {
  const bytes = await sound.arrayBuffer();
  await retryOnStorageLoss(db, () => db.meta.put({ k: getKey(auditionId), name, type: sound.type, bytes, savedAt }));
}

/** @throws {StorageError} */
export const removeCue = (db: AccountDb, auditionId: string | null): Promise<void> =>
  retryOnStorageLoss(db, () => db.meta.delete(getKey(auditionId)));

/** Whether this browser can play the sound. */
export async function canPlay(sound: Blob): Promise<boolean> {
  const address = URL.createObjectURL(sound);
  try {
    return await new Promise<boolean>((resolve) => {
      const player = new Audio();
      player.preload = 'metadata';
      player.addEventListener('loadedmetadata', () => resolve(true));
      player.addEventListener('error', () => resolve(false));
      player.src = address;
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
