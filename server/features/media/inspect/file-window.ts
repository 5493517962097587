import { open, type FileHandle } from 'node:fs/promises';
import type { Range } from './range.ts';

/** A part that is needed of a file of which only some parts are here. */
export class RangeMissing extends Error {
  readonly range: Range;
  constructor(range: Range) {
    super('A part of the file is not here');
    this.range = range;
  }
}

/** Reads parts of a file without loading all of it. Offsets and lengths are in bytes. */
export class FileWindow {
  readonly length: number;
  readonly #handle: FileHandle;
  readonly #present: readonly Range[] | null;

  private constructor(handle: FileHandle, length: number, present: readonly Range[] | null) {
    this.#handle = handle;
    this.length = length;
    this.#present = present;
  }

  /** Opens a file while `look` runs. @param present the parts of it that are here; null: all */
  static async over<T>(
    file: string,
    look: (window: FileWindow) => Promise<T>,
    present: readonly Range[] | null = null,
  ): Promise<T> {
    const handle = await open(file, 'r');
    try {
      return await look(new FileWindow(handle, (await handle.stat()).size, present));
    } finally {
      await handle.close();
    }
  }

  /** Reads a range; the result is shorter at the end of the file. @throws RangeMissing if it is not here */
  async read(offset: number, length: number): Promise<Buffer> {
    const there = Math.max(0, Math.min(length, this.length - offset));
    const isHere = this.#present?.some((part) => part.offset <= offset && offset + there <= part.offset + part.length);
    if (isHere === false && there > 0) throw new RangeMissing({ offset, length: there });
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(there), 0, there, offset);
    return buffer.subarray(0, bytesRead);
  }
}
