import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MediaType } from '#contract/media-types.ts';
import { newFileKey, type Storage } from '#server/platform/storage/storage.ts';
import { blank } from './inspect/blank.ts';
import type { Inspected, InspectedKind } from './inspect/inspect.ts';
import { FileRefused } from './inspect/refused.ts';
import { prepareAvatar, preparePhoto, preparePoster, prepareStrip, type PictureFile } from './picture.ts';

/** A file in storage that no row references yet. */
export interface StoredNewFile {
  key: string;
  type: string;
  extension: string;
  sizeBytes: number;
  /** Hexadecimal; null if this server never had all of its bytes. */
  sha256: string | null;
  /** Null if it is not a picture and its container does not contain it. */
  width: number | null;
  height: number | null;
}

/** The files of a media item: the original and smaller pictures. */
export interface StoredNewMedia {
  original: StoredNewFile;
  /** Smaller pictures, narrowest first; empty if there are none. */
  copies: StoredNewFile[];
  durationSeconds: number | null;
}

/** A PDF in storage that no row references yet. */
export interface StoredNewPdf extends StoredNewFile {
  pages: number;
}

type StorableFile = Pick<StoredNewFile, 'extension' | 'type' | 'width' | 'height'> & { file: string };

/** @returns the path of a new file in the folder */
async function writeTemporary(encoded: string, folder: string): Promise<string> {
  const file = path.join(folder, randomUUID());
  await writeFile(file, Buffer.from(encoded, 'base64'), { mode: 0o600 });
  return file;
}

/** Whether a file begins like a PDF. Only an inspection shows whether it is one. */
async function beginsLikePdf(file: string): Promise<boolean> {
  let start = '';
  for await (const bytes of createReadStream(file, { end: 4, encoding: 'latin1' })) start += String(bytes);
  return start === '%PDF-';
}

/**
 * Creates the service that inspects received files and writes them to storage.
 * @param onKey called with each key before its first byte is written, so that the caller can clean up after any failure
 * @param inspect inspects a file of unknown content
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
    /** @throws FileRefused with a message for the user */
    async media(mediaType: MediaType, file: string, folder: string): Promise<StoredNewMedia> {
      if (mediaType === 'image') return photo(file, folder);
      const { hidden, durationSeconds, ...facts } = await inspect(file, mediaType);
      await blank(file, hidden);
      return { original: await store({ ...facts, file }), copies: [], durationSeconds };
    },
    /** Stores a PDF whose pages can be counted. @throws FileRefused for any other file, and for one with more pages */
    async pdf(file: string, maxPages: number): Promise<StoredNewPdf> {
      if (!(await beginsLikePdf(file))) throw new FileRefused('Only PDF files');
      const { pages, ...facts } = await inspect(file, 'document');
      if (!pages) throw new FileRefused('The pages of this PDF cannot be counted. Print it to a new PDF and add that');
      if (pages > maxPages) throw new FileRefused(`This PDF has ${pages} pages, and ${maxPages} are the most`);
      return { ...(await store({ ...facts, file })), pages };
    },
    /** Stores pictures of a video, from the poster that the client took. @param jpeg base64 @throws FileRefused */
    async poster(jpeg: string, folder: string): Promise<StoredNewFile[]> {
      const file = await writeTemporary(jpeg, folder);
      return storeAll((await preparePhoto(file, folder)).copies);
    },
    /** Stores one small picture of a video. @param jpeg base64 @throws FileRefused */
    async smallPoster(jpeg: string, folder: string): Promise<StoredNewFile> {
      return store(await preparePoster(await writeTemporary(jpeg, folder), folder));
    },
    /** Stores frames of a video that lie side by side in one picture. @param jpeg base64 @throws FileRefused */
    async strip(jpeg: string, folder: string): Promise<StoredNewFile> {
      return store(await prepareStrip(await writeTemporary(jpeg, folder), folder));
    },
    /** @throws FileRefused */
    async avatar(file: string, folder: string): Promise<StoredNewFile> {
      return store(await prepareAvatar(file, folder));
    },
  };
}
