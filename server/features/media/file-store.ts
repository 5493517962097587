import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MediaType } from '#contract/media-types.ts';
import { newFileKey, type Storage } from '#server/platform/storage/storage.ts';
import { blank } from './inspect/blank.ts';
import type { Inspected, InspectedKind } from './inspect/inspect.ts';
import { prepareAvatar, preparePhoto, type PictureFile } from './picture.ts';

/** A file that lies in the store, not yet known to any row. */
export interface StoredNewFile {
  key: string;
  type: string;
  extension: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** Null where it is no picture and its container does not tell. */
  width: number | null;
  height: number | null;
}

/** One item of a portfolio: its file, and pictures of it. */
export interface StoredNewMedia {
  original: StoredNewFile;
  /** Smaller pictures of it, narrowest first; none where nothing can be seen. */
  copies: StoredNewFile[];
  durationSeconds: number | null;
}

type StorableFile = Pick<StoredNewFile, 'extension' | 'type' | 'width' | 'height'> & { file: string };

/**
 * Turns sent files into stored ones.
 * @param onKey hears every key before its first byte is written, so that the caller can clear up whatever happens
 * @param inspect looks through a file of unknown content
 */
export function createFileStore(
  storage: Storage,
  onKey: (key: string) => void,
  inspect: (file: string, kind: InspectedKind) => Promise<Inspected>,
) {
  async function store(source: StorableFile): Promise<StoredNewFile> {
    const { extension, type, width, height } = source;
    const key = newFileKey(extension);
    onKey(key);
    const hash = createHash('sha256');
    async function* hashed() {
      for await (const chunk of createReadStream(source.file)) {
        hash.update(chunk as Buffer);
        yield chunk as Buffer;
      }
    }
    const sizeBytes = await storage.write(key, hashed());
    return { key, type, extension, sizeBytes, sha256: hash.digest('hex'), width, height };
  }

  const storeAll = (pictures: readonly PictureFile[]) => Promise.all(pictures.map(store));

  async function photo(file: string, folder: string): Promise<StoredNewMedia> {
    const found = await preparePhoto(file, folder);
    return { original: await store(found.photo), copies: await storeAll(found.copies), durationSeconds: null };
  }

  return {
    /** @throws FileRefused in words for the person who sent it */
    async media(mediaType: MediaType, file: string, folder: string): Promise<StoredNewMedia> {
      if (mediaType === 'image') return photo(file, folder);
      const { hidden, durationSeconds, ...facts } = await inspect(file, mediaType);
      await blank(file, hidden);
      return { original: await store({ ...facts, file }), copies: [], durationSeconds };
    },
    /** Pictures of a video, from the one its sender took of it. @param jpeg base64. @throws FileRefused */
    async poster(jpeg: string, folder: string): Promise<StoredNewFile[]> {
      const file = path.join(folder, randomUUID());
      await writeFile(file, Buffer.from(jpeg, 'base64'), { mode: 0o600 });
      return storeAll((await preparePhoto(file, folder)).copies);
    },
    /** @throws FileRefused */
    async avatar(file: string, folder: string): Promise<StoredNewFile> {
      return store(await prepareAvatar(file, folder));
    },
  };
}
