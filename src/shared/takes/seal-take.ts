import type { AccountDb } from '#db/database.ts';
import type { Take, TakeEnd } from '#db/rows.ts';
import type { TakeLength } from '#lib/take-log.ts';
import { clearSeenMedia } from '#lib/stored-media.ts';
import { inspectFile } from '#shared/picked-files/inspect-file.ts';
import { retryOnStorageLoss } from '#sync/storage-error.ts';
import { readRecording } from './take-storage.ts';

/** The name of the Web Lock that is held while a take is being recorded or recovered. */
export const getTakeLock = (id: string): string => `take:${id}`;

/** Opens a sealed take once: its real length and size, and a picture for lists. Nothing else needs them. */
export async function inspectTake(db: AccountDb, take: Take): Promise<void> {
  const recording = await readRecording(db, take);
  if (recording === null) return;
  const { width, height, duration, thumb } = await inspectFile('video', recording);
  await db.transaction('rw', db.takes, db.posters, async () => {
    await db.takes.update(take.id, {
      ...(duration !== undefined && { duration }),
      ...(width !== undefined && height !== undefined && { size: { width, height } }),
    });
    if (thumb) await db.posters.put({ take: take.id, jpeg: thumb });
  });
}

/**
 * Marks a take as whole, with what is safe of it. Deletes the row of a take without a slice.
 * @param isUntold the person is told at the next opportunity
 * @throws {StorageError} if the store cannot be written; the next start then seals the take
 */
export async function sealTake(
  db: AccountDb,
  id: string,
  { bytes, endMs }: TakeLength,
  end: TakeEnd,
  isUntold?: true,
): Promise<void> {
  const sealed = { state: 'sealed', bytes, duration: endMs / 1000, end, ...(isUntold && { isUntold }) } as const;
  const write = async () => {
    if (bytes === 0) await db.takes.delete(id);
    else await db.takes.update(id, sealed);
  };
  // A full disk ends takes, and this row must fit all the same.
  await retryOnStorageLoss(db, write, clearSeenMedia);
}
