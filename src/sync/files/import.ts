import type { MediaChunk, MediaFile } from '#db/rows.ts';
import { deleteFile } from '../queue/drop-files.ts';
import type { AccountDb } from '#db/database.ts';
import type { Ports } from '../ports.ts';
import { retryOnStorageLoss, StorageError } from '../storage-error.ts';
import { CHUNK_BYTES } from './upload.ts';

/** A picked file: a `File`, or anything else that can be read in slices. */
export interface PickedFile {
  name: string;
  /** MIME type as the platform guessed it. The server decides by content. */
  type: string;
  /** Bytes. */
  size: number;
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> };
}

export interface ImportOptions {
  /** Small JPEG for lists. */
  thumb?: ArrayBuffer;
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
  /** Waveform peaks, normalized to 0–1. */
  peaks?: number[];
  onProgress?(storedBytes: number): void;
}

/** Space to leave free on the device, bytes. */
const SPARE_BYTES = 50 * 1024 * 1024;
/** A whole photo fits into one transaction, and no transaction copies more than 8 MiB of a film. */
const CHUNKS_PER_TRANSACTION = 8;
const FORGOTTEN_AFTER_MS = 3_600_000;

/**
 * Copies a picked file into the store. State 'ready' in the result means that every byte is on disk and the original is
 * no longer needed. Throws StorageError when the device cannot store it, and deletes what was stored so far.
 */
export async function importFile(
  db: AccountDb,
  ports: Ports,
  file: PickedFile,
  options: ImportOptions = {},
): Promise<MediaFile> {
  const free = (await ports.freeBytes?.()) ?? null;
  if (free !== null && free - file.size < SPARE_BYTES) {
    await ports.dropCaches?.();
    const after = (await ports.freeBytes?.()) ?? free;
    if (after - file.size < SPARE_BYTES) throw new StorageError('full');
  }
  const { onProgress, ...seen } = options;
  const whole = await file.slice(0, file.size).arrayBuffer();
  if (whole.byteLength !== file.size) throw new Error('The file changed while it was read');
  const ready: MediaFile = {
    id: ports.chance.uuid(),
    state: 'ready',
    name: file.name,
    type: file.type,
    size: file.size,
    sha256: await ports.digest(whole),
    chunks: Math.ceil(file.size / CHUNK_BYTES),
    offset: 0,
    createdAt: ports.clock.now(),
    ...seen,
  };
  let stored = 0;
  try {
    do {
      const chunks = cutChunks(ready.id, whole, stored);
      stored += chunks.length;
      // The transaction of the last bytes also makes the file ready. Until then the row is one of an interrupted import.
      const row: MediaFile = stored < ready.chunks ? { ...ready, state: 'importing' } : ready;
      const work = () =>
        db.transaction('rw', db.media, db.chunks, async () => {
          await db.media.put(row);
          await db.chunks.bulkPut(chunks);
        });
      await retryOnStorageLoss(db, work, () => ports.dropCaches?.() ?? Promise.resolve());
      onProgress?.(Math.min(file.size, stored * CHUNK_BYTES));
    } while (stored < ready.chunks);
    return ready;
  } catch (error) {
    // Best effort: `collectFiles` deletes what remains.
    await db.transaction('rw', [db.media, db.chunks], async () => deleteFile(db, ready.id)).catch(() => undefined);
    throw error;
  }
}

/** Returns the chunks of one transaction, beginning with chunk `first`. */
function cutChunks(media: string, whole: ArrayBuffer, first: number): MediaChunk[] {
  const chunks: MediaChunk[] = [];
  for (let n = first; n < first + CHUNKS_PER_TRANSACTION && n * CHUNK_BYTES < whole.byteLength; n += 1) {
    chunks.push({ media, n, bytes: whole.slice(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES) });
  }
  return chunks;
}

/** Deletes a picked file that the user removed before saving, unless a change refers to it. */
export async function dropFile(db: AccountDb, mediaId: string): Promise<void> {
  await db.transaction('rw', [db.media, db.chunks, db.outbox], async () => {
    if (!(await isUsed(db, mediaId))) await deleteFile(db, mediaId);
  });
}

async function isUsed(db: AccountDb, mediaId: string): Promise<boolean> {
  const { outbox } = db;
  return (
    (await outbox.where('target').equals(mediaId).count()) + (await outbox.where('deps').equals(mediaId).count()) > 0
  );
}

/** Deletes files that nothing refers to: from abandoned forms and interrupted imports. Run it under the lock. */
export async function collectFiles(db: AccountDb, now: number): Promise<void> {
  await db.transaction('rw', [db.media, db.chunks, db.outbox, db.drafts], async () => {
    const drafts = JSON.stringify(await db.drafts.toArray());
    for (const file of await db.media.toArray()) {
      const young = file.createdAt <= now && now - file.createdAt < FORGOTTEN_AFTER_MS;
      if (file.state === 'kept' || young || drafts.includes(file.id) || (await isUsed(db, file.id))) continue;
      await deleteFile(db, file.id);
    }
  });
}
