import { open, type FileHandle } from 'node:fs/promises';
import { isEbml, VOID } from './ebml.ts';
import type { Range } from './range.ts';

const ZEROS = Buffer.alloc(64 * 1024);
/** The longest header: the type, and a length of 8 bytes. */
const HEADER_BYTES = 16;

/** What takes the place of the beginning of a part, and where the zeros begin. */
interface Cover {
  bytes: Buffer;
  at: number;
  zerosFrom: number;
}

/** Free space of an MP4, QuickTime file or AVI: the type is overwritten, and the length stays. */
function coverBox(header: Buffer): Cover {
  if (header.toString('latin1', 0, 4) === 'LIST') return { bytes: Buffer.from('JUNK'), at: 0, zerosFrom: 8 };
  // A box of 2^32 bytes or more has its length after its type.
  return { bytes: Buffer.from('free'), at: 4, zerosFrom: header.readUInt32BE(0) === 1 ? 16 : 8 };
}

/** Free space of a WebM, whose id is shorter than most: the length is written again. */
function coverElement(length: number): Cover {
  // At least 2 bytes long, as every element.
  const sizeBytes = length < 2 + 0x7f ? 1 : 8;
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(length - 1 - sizeBytes));
  const bytes = Buffer.concat([Buffer.from([VOID]), size.subarray(8 - sizeBytes)]);
  // The first bit that is set says how many bytes the length has.
  bytes[1]! |= 0x80 >> (sizeBytes - 1);
  return { bytes, at: 0, zerosFrom: bytes.length };
}

async function readHeader(handle: FileHandle, offset: number): Promise<Buffer> {
  const { buffer } = await handle.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, offset);
  return buffer;
}

/**
 * Overwrites parts of a container in place with free space of the same length, so that later offsets stay valid.
 * @param parts boxes of an MP4 or QuickTime file, chunks of an AVI, or elements of a WebM, including their headers
 */
export async function blank(file: string, parts: readonly Range[]): Promise<void> {
  if (parts.length === 0) return;
  const handle = await open(file, 'r+');
  try {
    const isWebm = isEbml(await readHeader(handle, 0));
    for (const { offset, length } of parts) {
      const { bytes, at, zerosFrom } = isWebm ? coverElement(length) : coverBox(await readHeader(handle, offset));
      await handle.write(bytes, 0, bytes.length, offset + at);
      for (let from = zerosFrom; from < length; from += ZEROS.length) {
        await handle.write(ZEROS, 0, Math.min(ZEROS.length, length - from), offset + from);
      }
    }
  } finally {
    await handle.close();
  }
}
