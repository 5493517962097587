import type { AccountDb } from './database.ts';
import type { MediaFile } from './rows.ts';

/** Chunks that are in memory at a time. Browsers keep large blobs on disk. */
const CHUNKS_AT_ONCE = 8;

/** The stored bytes of a picked file; null when they are not complete on this device any more. */
export async function fileBytes(
  db: AccountDb,
  file: Pick<MediaFile, 'id' | 'type' | 'size' | 'chunks'>,
): Promise<Blob | null> {
  const parts: Blob[] = [];
  for (let n = 0; n < file.chunks; n += CHUNKS_AT_ONCE) {
    const range = db.chunks.where('[media+n]').between([file.id, n], [file.id, n + CHUNKS_AT_ONCE]);
    parts.push(new Blob((await range.toArray()).map(({ bytes }) => bytes)));
  }
  const blob = new Blob(parts, { type: file.type });
  return blob.size === file.size ? blob : null;
}
