import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { newFileKey, type Storage } from '#server/storage/storage.ts';
import { prepareAvatar, preparePhoto, type PictureFile } from './picture.ts';

/** A picture that lies in the store, not yet known to any row. */
export interface KeptFile {
  key: string;
  type: string;
  extension: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
  width: number;
  height: number;
}

export interface KeptPhoto {
  original: KeptFile;
  /** Smaller ones, narrowest first. */
  copies: KeptFile[];
}

/**
 * Turns picked files into stored ones.
 * @param note hears every key before its first byte is written, so that the caller can clear up whatever happens
 */
export function pictureKeeper(storage: Storage, note: (key: string) => void) {
  async function keep(picture: PictureFile): Promise<KeptFile> {
    const { extension, type, width, height } = picture;
    const key = newFileKey(extension);
    note(key);
    const hash = createHash('sha256');
    async function* hashed() {
      for await (const chunk of createReadStream(picture.file)) {
        hash.update(chunk as Buffer);
        yield chunk as Buffer;
      }
    }
    const sizeBytes = await storage.write(key, hashed());
    return { key, type, extension, sizeBytes, sha256: hash.digest('hex'), width, height };
  }

  return {
    /** @throws PictureRefused */
    async photo(file: string, folder: string): Promise<KeptPhoto> {
      const { photo, copies } = await preparePhoto(file, folder);
      return { original: await keep(photo), copies: await Promise.all(copies.map(keep)) };
    },
    /** @throws PictureRefused */
    async avatar(file: string, folder: string): Promise<KeptFile> {
      return keep(await prepareAvatar(file, folder));
    },
  };
}
