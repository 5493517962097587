import { open } from 'node:fs/promises';
import type { Range } from './boxes.ts';

const ZEROS = Buffer.alloc(64 * 1024);

/**
 * Overwrites parts of a container in place with free space of the same length, so that later offsets stay valid.
 * @param parts boxes of an MP4 or QuickTime file, or chunks of an AVI, including their headers
 */
export async function blank(file: string, parts: readonly Range[]): Promise<void> {
  if (parts.length === 0) return;
  const handle = await open(file, 'r+');
  try {
    for (const { offset, length } of parts) {
      const head = await handle.read(Buffer.alloc(16), 0, 16, offset);
      const isChunk = head.buffer.toString('latin1', 0, 4) === 'LIST';
      // A box of 2^32 bytes or more has its length after its type.
      const begin = !isChunk && head.buffer.readUInt32BE(0) === 1 ? 16 : 8;
      await handle.write(isChunk ? 'JUNK' : 'free', offset + (isChunk ? 0 : 4), 'latin1');
      for (let at = begin; at < length; at += ZEROS.length) {
        await handle.write(ZEROS, 0, Math.min(ZEROS.length, length - at), offset + at);
      }
    }
  } finally {
    await handle.close();
  }
}
