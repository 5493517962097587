import { randomUUID } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { ByteRange } from '#server/platform/storage/byte-range.ts';
import type { Range } from '../inspect/range.ts';

/** Opens a range of the file in the bucket; null if it is gone. */
type OpenRange = (range: ByteRange) => Promise<Readable | null>;

/**
 * A local file with some parts of a file in the bucket, at their own offsets. What was not fetched is a hole and takes no room on the disk.
 */
export class PartialFile {
  readonly file: string;
  readonly sizeBytes: number;
  /** The parts that are here. */
  readonly present: Range[] = [];
  readonly #handle: FileHandle;
  readonly #open: OpenRange;

  private constructor(file: string, sizeBytes: number, handle: FileHandle, openRange: OpenRange) {
    this.file = file;
    this.sizeBytes = sizeBytes;
    this.#handle = handle;
    this.#open = openRange;
  }

  /** Runs `work` with an empty file in the folder. */
  static async within<T>(
    folder: string,
    sizeBytes: number,
    openRange: OpenRange,
    work: (partial: PartialFile) => Promise<T>,
  ): Promise<T> {
    const file = path.join(folder, randomUUID());
    const handle = await open(file, 'wx+', 0o600);
    try {
      await handle.truncate(sizeBytes);
      return await work(new PartialFile(file, sizeBytes, handle, openRange));
    } finally {
      await handle.close();
    }
  }

  /** Fetches a part; what lies beyond the end of the file is left out. */
  async fetch(offset: number, length: number): Promise<void> {
    const start = Math.max(0, offset);
    const end = Math.min(this.sizeBytes, offset + length);
    const bytes = await this.#open({ start, end: end - 1 });
    if (bytes === null) throw new Error('The file is no longer in the quarantine');
    let at = start;
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      if (at + chunk.length > end) throw new Error('The bucket sent more than was asked for');
      await this.#handle.write(chunk, 0, chunk.length, at);
      at += chunk.length;
    }
    if (at < end) throw new Error('The bucket sent less than was asked for');
    this.present.push({ offset: start, length: end - start });
  }

  /** Reads bytes from `start` up to `end`, which must be here. */
  async read(start: number, end: number): Promise<Buffer> {
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(end - start), 0, end - start, start);
    if (bytesRead < end - start) throw new Error('The local file ends too early');
    return buffer;
  }
}
