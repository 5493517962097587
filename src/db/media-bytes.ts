import type { AccountDb } from './database.ts';
import type { MediaFile } from './rows.ts';

/** The stored bytes of a picked file; null when they are not complete on this device any more. */
export async function fileBytes(db: AccountDb, file: Pick<MediaFile, 'id' | 'type' | 'size'>): Promise<Blob | null> {
  const chunks = await db.chunks.where('[media+n]').between([file.id, 0], [file.id, Infinity]).toArray();
  const blob = new Blob(
    chunks.map(({ bytes }) => bytes),
    { type: file.type },
  );
  return blob.size === file.size ? blob : null;
}
