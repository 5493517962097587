import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';

/** First and last byte, both counted. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Where stored bytes lie. Keys come from `newFileKey` and say nothing of owner, folder or name; a key is written once and
 * never changed, so that a store of objects (S3) serves as well as a disk.
 */
export interface Storage {
  /**
   * Takes the bytes as they come and answers their number once they are safe on the medium. Nothing is visible under
   * `key` before that, and nothing stays behind when `bytes` throws.
   */
  write(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** The bytes, whole or the given range within them; null when there are none under that key. The reader must consume or destroy it. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Forgets the bytes; fine when they are gone already. */
  remove(key: string): Promise<void>;
  /** Every key in the store, in no order; leftovers of writes that never ended are listed by nobody and cleared by `clearUnfinished`. */
  list(): AsyncIterable<{ key: string; storedAt: Date }>;
  /** Removes what writes begun before `before` left unfinished (a killed server); answers how many. */
  clearUnfinished(before: Date): Promise<number>;
}

const KEY = /^[0-9a-f]{32}(\.[a-z0-9]{2,5})?$/;

/** A name of 128 random bits, which nobody can guess. @param extension without the dot, where a browser should see one */
export function newFileKey(extension?: string): string {
  const name = randomBytes(16).toString('hex');
  return extension === undefined ? name : `${name}.${extension}`;
}

/** Whether this text has the form of a key. Whatever fails here never reaches a file system. */
export function isFileKey(text: string): boolean {
  return KEY.test(text);
}

/** The address a stored file is fetched from. */
export function storagePath(key: string): string {
  return `/storage/${key}`;
}
