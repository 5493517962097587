import { getMediaKindOfFile } from '#contract/media-kinds.ts';
import { DIRECT_UPLOADS } from '#contract/direct-uploads.ts';
import type { AccountDb } from '#db/database.ts';
import type { MediaChunk, MediaFile } from '#db/rows.ts';
import type { Digest } from '#lib/file-digest.ts';
import type { Ports } from '../ports.ts';
import { deleteFile } from '../queue/drop-files.ts';
import { retryOnStorageLoss, StorageError } from '../storage-error.ts';
import { isUsed } from './collect.ts';
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
  /** JPEG of some frames of a take, side by side. */
  strip?: ArrayBuffer;
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
  /** Waveform peaks, normalized to 0–1. */
  peaks?: number[];
  onProgress?(storedBytes: number): void;
  /** Ends the copy and deletes what was stored so far. */
  signal?: AbortSignal;
}

/** Space to leave free on the device, bytes. */
const SPARE_BYTES = 50 * 1024 * 1024;
/** A whole photo fits into one transaction, and of a film no more than 8 MiB are in memory at a time. */
const CHUNKS_PER_TRANSACTION = 8;

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
  await requireRoom(ports, file.size);
  const { onProgress, signal, ...seen } = options;
  const importing: MediaFile = {
    id: ports.chance.uuid(),
    state: 'importing',
    name: file.name,
    type: file.type,
    size: file.size,
    sha256: '',
    chunks: Math.ceil(file.size / CHUNK_BYTES),
    offset: 0,
    createdAt: ports.clock.now(),
    ...seen,
  };
  const direct = await planDirect(db, file);
  if (direct !== null) importing.direct = direct;
  const digest = await ports.openDigest?.(file.size);
  if (digest === undefined) throw new Error('Only a page stores files');
  try {
    return await copy({ db, ports, file, importing, digest, onProgress, signal });
  } catch (error) {
    // Best effort: `collectFiles` deletes what remains.
    await db.transaction('rw', [db.media, db.chunks], async () => deleteFile(db, importing.id)).catch(() => undefined);
    throw error;
  } finally {
    digest.close();
  }
}

/** Whether a file will go to the operator's bucket: large videos do where the server offers that. */
async function planDirect(db: AccountDb, file: PickedFile): Promise<MediaFile['direct'] | null> {
  const isVideo = getMediaKindOfFile(file)?.key === 'video';
  if (!isVideo || file.size < DIRECT_UPLOADS.minFileBytes) return null;
  const known = await db.meta.get('upload-limits');
  return known?.k === 'upload-limits' && known.directPartBytes ? { partBytes: known.directPartBytes } : null;
}

/** Makes room for a file, if there is too little. @throws StorageError with what is missing */
async function requireRoom(ports: Ports, neededBytes: number): Promise<void> {
  const free = (await ports.freeBytes?.()) ?? null;
  if (free === null || free - neededBytes >= SPARE_BYTES) return;
  await ports.dropCaches?.();
  const after = (await ports.freeBytes?.()) ?? free;
  if (after - neededBytes >= SPARE_BYTES) return;
  throw new StorageError('full', undefined, { neededBytes, freeBytes: Math.max(0, after - SPARE_BYTES) });
}

interface Copying extends Pick<ImportOptions, 'onProgress' | 'signal'> {
  db: AccountDb;
  ports: Ports;
  file: PickedFile;
  importing: MediaFile;
  digest: Digest;
}

/** Reads a file once, part by part. The digest is of the same bytes that are stored. */
async function copy({ db, ports, file, importing, digest, onProgress, signal }: Copying): Promise<MediaFile> {
  let row = importing;
  let storedBytes = 0;
  do {
    signal?.throwIfAborted();
    const end = Math.min(file.size, storedBytes + CHUNKS_PER_TRANSACTION * CHUNK_BYTES);
    const bytes = await file.slice(storedBytes, end).arrayBuffer();
    if (bytes.byteLength !== end - storedBytes) throw new Error('The file changed while it was read');
    const chunks = cutChunks(importing.id, bytes, storedBytes / CHUNK_BYTES);
    await digest.add(bytes);
    // The transaction of the last bytes also makes the file ready. Until then the row is one of an interrupted import.
    if (end === file.size) row = { ...importing, state: 'ready', sha256: await digest.end() };
    const written = row;
    const isFirst = storedBytes === 0;
    const work = () =>
      db.transaction('rw', db.media, db.chunks, async () => {
        // Whoever tidies up may take a copy that goes on for an abandoned one, when the clock jumps. Without its beginning, the file is worth nothing.
        const isGone = !isFirst && (await db.media.get(importing.id)) === undefined;
        if (isGone) throw new Error('The file was removed while it was stored. Choose it again');
        await db.media.put(written);
        await db.chunks.bulkPut(chunks);
      });
    await retryOnStorageLoss(db, work, () => ports.dropCaches?.() ?? Promise.resolve());
    storedBytes = end;
    onProgress?.(storedBytes);
  } while (storedBytes < file.size);
  return row;
}

/** Cuts a part of a file into chunks. @param first number of the first one */
function cutChunks(media: string, part: ArrayBuffer, first: number): MediaChunk[] {
  const chunks: MediaChunk[] = [];
  for (let at = 0; at < part.byteLength; at += CHUNK_BYTES) {
    chunks.push({ media, n: first + chunks.length, bytes: part.slice(at, at + CHUNK_BYTES) });
  }
  return chunks;
}

/** Deletes a picked file that the user removed before saving, unless a change refers to it. */
export async function dropFile(db: AccountDb, mediaId: string): Promise<void> {
  await db.transaction('rw', [db.media, db.chunks, db.outbox], async () => {
    if (!(await isUsed(db, mediaId))) await deleteFile(db, mediaId);
  });
}
