import { open, type FileHandle } from 'node:fs/promises';

/** Reads parts of a file without loading all of it. Offsets and lengths are in bytes. */
export class FileWindow {
  readonly length: number;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, length: number) {
    this.#handle = handle;
    this.length = length;
  }

  /** Opens a file while `look` runs. */
  static async over<T>(file: string, look: (window: FileWindow) => Promise<T>): Promise<T> {
    const handle = await open(file, 'r');
    try {
      return await look(new FileWindow(handle, (await handle.stat()).size));
    } finally {
      await handle.close();
    }
  }

  /** Reads a range; the result is shorter at the end of the file. */
  async read(offset: number, length: number): Promise<Buffer> {
    const there = Math.max(0, Math.min(length, this.length - offset));
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(there), 0, there, offset);
    return buffer.subarray(0, bytesRead);
  }
}
