import { open, type FileHandle } from 'node:fs/promises';

/** Looks at parts of a file of unknown content without ever holding the whole of it. Offsets and lengths in bytes. */
export class FileWindow {
  readonly length: number;
  readonly #handle: FileHandle;

  private constructor(handle: FileHandle, length: number) {
    this.#handle = handle;
    this.length = length;
  }

  /** Opens a file for as long as `look` takes. */
  static async over<T>(file: string, look: (window: FileWindow) => Promise<T>): Promise<T> {
    const handle = await open(file, 'r');
    try {
      return await look(new FileWindow(handle, (await handle.stat()).size));
    } finally {
      await handle.close();
    }
  }

  /** What lies there; shorter where the file ends. */
  async read(offset: number, length: number): Promise<Buffer> {
    const there = Math.max(0, Math.min(length, this.length - offset));
    const { buffer, bytesRead } = await this.#handle.read(Buffer.alloc(there), 0, there, offset);
    return buffer.subarray(0, bytesRead);
  }
}
