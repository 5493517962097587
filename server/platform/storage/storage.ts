import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ByteRange } from './byte-range.ts';
import type { Quarantine } from './quarantine.ts';

/** A file as the store lists it. */
export interface StoredFile {
  key: string;
  storedAt: Date;
  sizeBytes: number;
  /** The mark that an object store gives this content. */
  etag?: string | undefined;
}

/**
 * A file store. Keys come from `newFileKey` and reveal neither owner nor file name. A key is written once and never changed, so both a disk
 * and an object store (S3) can implement it.
 */
export interface Storage {
  /**
   * Writes a stream of bytes and resolves with their number once they are durable. Nothing is visible under `key` before that, and nothing
   * remains when `bytes` throws.
   */
  write(key: string, bytes: AsyncIterable<Uint8Array>): Promise<number>;
  /** Opens a file, or a range of it; null when the key does not exist. The caller must consume or destroy the stream. */
  open(key: string, range?: ByteRange): Promise<Readable | null>;
  /** Removes a file. Does nothing when it does not exist. */
  remove(key: string): Promise<void>;
  /** Lists every key in the store, in no particular order. Leftovers of unfinished writes are not listed; see `clearUnfinished`. */
  list(): AsyncIterable<StoredFile>;
  /** Does something small that needs the store to work. @throws when it does not */
  check(): Promise<void>;
  /** Removes leftovers of unfinished writes that began before `before`. @returns the number removed */
  clearUnfinished(before: Date): Promise<number>;
  /** Where devices send large files themselves. Only in a bucket, and only if the operator allows it. */
  quarantine?: Quarantine;
}

const KEY = /^[0-9a-f]{32}(\.[a-z0-9]{2,5})?$/;

/** Creates an unguessable key of 128 random bits. @param extension without the dot, if browsers should see one */
export function newFileKey(extension?: string): string {
  const name = randomBytes(16).toString('hex');
  return extension === undefined ? name : `${name}.${extension}`;
}

/** Whether the text has the form of a key. Text that fails this check never reaches a file system. */
export function isFileKey(text: string): boolean {
  return KEY.test(text);
}

/** URL path of a stored file. */
export function storagePath(key: string): string {
  return `/storage/${key}`;
}
