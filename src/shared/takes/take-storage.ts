import type { AccountDb } from '#db/database.ts';
import type { Take } from '#db/rows.ts';
import { getRawName, getTakePath, readTakeFile, removePath, TAKE_FILES } from '#lib/take-folder.ts';
import type { TakeLength } from '#lib/take-log.ts';
import { clearSeenMedia } from '#lib/stored-media.ts';
import { retryOnStorageLoss, StorageError } from '#sync/storage-error.ts';
import { startTakeWriter, TakeWriteError } from './take-writer.ts';

/** Where the slices of one take go. Everything that `append` has resolved for survives the end of the browser. */
export interface TakeSink {
  /** Rejects with a TakeWriteError. The bytes belong to the sink afterwards. */
  append(bytes: ArrayBuffer, endMs: number): Promise<TakeLength>;
  close(): Promise<void>;
}

type Stored = Pick<Take, 'id' | 'mime' | 'storage'>;

let found: Promise<Take['storage']> | null = null;

async function probe(): Promise<Take['storage']> {
  const storage = navigator.storage as Partial<StorageManager> | undefined;
  if (!storage?.getDirectory) return 'slices';
  const writer = startTakeWriter();
  try {
    await writer.ask({ type: 'probe' });
    return 'folder';
  } catch (error) {
    console.info('Takes are kept in IndexedDB', error);
    return 'slices';
  } finally {
    writer.end();
  }
}

/** Which storage works in this browser. Tries it once per page: some offer the file system and then refuse to write. */
export const findTakeStorage = (): Promise<Take['storage']> => (found ??= probe());

async function openFolderSink(path: string[], raw: string): Promise<TakeSink> {
  const writer = startTakeWriter();
  try {
    await writer.ask({ type: 'open', path, raw });
  } catch (error) {
    writer.end();
    throw error;
  }
  return {
    async append(bytes, endMs) {
      const length = await writer.ask({ type: 'append', bytes, endMs });
      if (length === null) throw new TakeWriteError('failed', 'The writer gave no length');
      return length;
    },
    async close() {
      await writer.ask({ type: 'close' }).finally(() => writer.end());
    },
  };
}

function openSliceSink(db: AccountDb, take: string): TakeSink {
  let safe: TakeLength = { slices: 0, bytes: 0, endMs: 0 };
  return {
    async append(bytes, endMs) {
      const slice = { take, n: safe.slices, bytes, endMs };
      try {
        await retryOnStorageLoss(db, () => db.slices.put(slice), clearSeenMedia);
      } catch (error) {
        const isFull = error instanceof StorageError && error.reason === 'full';
        throw new TakeWriteError(isFull ? 'full' : 'failed', String(error));
      }
      safe = { slices: safe.slices + 1, bytes: safe.bytes + bytes.byteLength, endMs };
      return safe;
    },
    close: () => Promise.resolve(),
  };
}

/** Opens the storage of a new take. Rejects with a TakeWriteError. */
export const openSink = async (db: AccountDb, { id, mime, storage }: Stored): Promise<TakeSink> =>
  storage === 'folder' ? openFolderSink(getTakePath(db.name, id), getRawName(mime)) : openSliceSink(db, id);

const slicesOf = (db: AccountDb, take: string) => db.slices.where('[take+n]').between([take, 0], [take, Infinity]);

/** Cuts an interrupted take back to its last whole slice. Rejects with a TakeWriteError if its files cannot be opened. */
export async function cutTake(db: AccountDb, { id, mime, storage }: Stored): Promise<TakeLength> {
  if (storage === 'slices') {
    // A slice is a row, and a row is whole or not there.
    const length: TakeLength = { slices: 0, bytes: 0, endMs: 0 };
    await slicesOf(db, id).each((slice) => {
      Object.assign(length, {
        slices: length.slices + 1,
        bytes: length.bytes + slice.bytes.byteLength,
        endMs: slice.endMs,
      });
    });
    return length;
  }
  const path = getTakePath(db.name, id);
  // The app ended between the row and the first file.
  if ((await readTakeFile(path, TAKE_FILES.index)) === null) return { slices: 0, bytes: 0, endMs: 0 };
  const writer = startTakeWriter();
  try {
    const length = await writer.ask({ type: 'recover', path, raw: getRawName(mime) });
    return length ?? { slices: 0, bytes: 0, endMs: 0 };
  } finally {
    writer.end();
  }
}

/** The recording of a take as it was written; null if it is gone. */
export async function readRecording(db: AccountDb, { id, mime, storage }: Stored): Promise<Blob | null> {
  if (storage === 'slices') {
    const slices = await slicesOf(db, id).toArray();
    return slices.length > 0
      ? new Blob(
          slices.map(({ bytes }) => bytes),
          { type: mime },
        )
      : null;
  }
  const file = await readTakeFile(getTakePath(db.name, id), getRawName(mime));
  return file && file.size > 0 ? file.slice(0, file.size, mime) : null;
}

/** The finished MP4 of a take, if its folder has one. */
export const readCopy = (db: AccountDb, take: Stored): Promise<File | null> =>
  take.storage === 'folder' ? readTakeFile(getTakePath(db.name, take.id), TAKE_FILES.copy) : Promise.resolve(null);

/**
 * Deletes a take for good. The row goes last: if the app ends in between, the next start finishes the work, and until then no
 * list shows the take.
 */
export async function deleteTake(db: AccountDb, take: Stored): Promise<void> {
  await db.takes.update(take.id, { state: 'deleted' });
  if (take.storage === 'folder') await removePath(getTakePath(db.name, take.id));
  await db.transaction('rw', [db.takes, db.slices, db.posters], async () => {
    await slicesOf(db, take.id).delete();
    await db.posters.delete(take.id);
    await db.takes.delete(take.id);
  });
}
