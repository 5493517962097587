/**
 * A take on disk, as two files: the slices of the recorder one after the other, and an index with one entry per slice. A
 * slice counts only once its entry is on disk, so whatever ended the recording, the files can be cut back to whole slices.
 * Source: docs/decisions/050-takes-on-the-device.md.
 */
import { crc32 } from './crc32.ts';

/** One slice as the index describes it. */
export interface SliceEntry {
  /** Bytes. */
  length: number;
  crc: number;
  /** When the recorder delivered the slice, in milliseconds since the start of the take. */
  endMs: number;
}

/** How much of a take is safe. `endMs` as in its last slice. */
export interface TakeLength {
  slices: number;
  bytes: number;
  endMs: number;
}

/** What is used of a `FileSystemSyncAccessHandle`, which exists in dedicated workers alone. */
export interface SyncFile {
  read(buffer: Uint8Array, options: { at: number }): number;
  write(buffer: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
}

export interface TakeFiles {
  raw: SyncFile;
  index: SyncFile;
}

/** Three numbers of 32 bits, little-endian: length, CRC-32, end. */
export const ENTRY_BYTES = 12;

const NOTHING: TakeLength = { slices: 0, bytes: 0, endMs: 0 };

/** The disk took fewer bytes than it was given: there is no room left. */
export class ShortWriteError extends Error {
  override name = 'ShortWriteError';
}

export function encodeEntry({ length, crc, endMs }: SliceEntry): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(ENTRY_BYTES));
  [length, crc, endMs].forEach((value, n) => view.setUint32(n * 4, value, true));
  return new Uint8Array(view.buffer);
}

/** Reads the whole entries of an index. A last entry that was cut off is left out. */
export function decodeEntries(index: Uint8Array): SliceEntry[] {
  const view = new DataView(index.buffer, index.byteOffset, index.byteLength);
  return Array.from({ length: Math.floor(index.byteLength / ENTRY_BYTES) }, (_, n) => {
    const at = n * ENTRY_BYTES;
    return {
      length: view.getUint32(at, true),
      crc: view.getUint32(at + 4, true),
      endMs: view.getUint32(at + 8, true),
    };
  });
}

function writeAll(file: SyncFile, bytes: Uint8Array, at: number): void {
  const written = file.write(bytes, { at });
  if (written !== bytes.byteLength) throw new ShortWriteError(`${written} of ${bytes.byteLength} bytes were written`);
  file.flush();
}

/** Cuts the files of a take to this length. */
function cutTo({ raw, index }: TakeFiles, { slices, bytes }: TakeLength): void {
  raw.truncate(bytes);
  index.truncate(slices * ENTRY_BYTES);
  raw.flush();
  index.flush();
}

/**
 * Starts a take in two empty files.
 * @returns a function that appends a slice and returns what is safe with it. It throws if the slice could not be written
 * whole; everything before stays safe, and nothing of the slice stays in the files.
 */
export function startTakeLog(files: TakeFiles): (slice: Uint8Array, endMs: number) => TakeLength {
  let safe = NOTHING;
  const write = (slice: Uint8Array, endMs: number) => {
    // The slice is on disk before its entry is written, so an entry never describes bytes that are not there.
    writeAll(files.raw, slice, safe.bytes);
    const entry = encodeEntry({ length: slice.byteLength, crc: crc32(slice), endMs: Math.round(endMs) });
    writeAll(files.index, entry, safe.slices * ENTRY_BYTES);
  };
  const cutBack = () => {
    try {
      cutTo(files, safe);
    } catch (error) {
      // Whoever records is told why the slice was refused, not this.
      console.warn(error);
    }
  };
  return (slice, endMs) => {
    try {
      write(slice, endMs);
    } catch (error) {
      // The file is read and sent to its end, so what came of this slice would be played as a part of the take.
      cutBack();
      throw error;
    }
    safe = { slices: safe.slices + 1, bytes: safe.bytes + slice.byteLength, endMs };
    return safe;
  };
}

/**
 * Cuts the files of an interrupted take back to its last whole slice. Slices are checked from the end: those before were
 * flushed earlier, and one damaged second must not cost all that follow it.
 * @returns what is left; no slice if nothing was whole
 */
export function cutToWholeSlices({ raw, index }: TakeFiles): TakeLength {
  const read = (file: SyncFile, at: number, length: number) => {
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, file.read(bytes, { at }));
  };
  const entries = decodeEntries(read(index, 0, index.getSize()));
  const size = raw.getSize();
  let end = entries.reduce((sum, { length }) => sum + length, 0);
  const isWhole = ({ length, crc }: SliceEntry) => end <= size && crc32(read(raw, end - length, length)) === crc;
  while (entries.length > 0 && !isWhole(entries.at(-1)!)) end -= entries.pop()!.length;
  const whole = { slices: entries.length, bytes: end, endMs: entries.at(-1)?.endMs ?? 0 };
  cutTo({ raw, index }, whole);
  return whole;
}
