import type { FileWindow } from './file-window.ts';
import type { Range } from './range.ts';
import { FileRefused } from './refused.ts';

/** More boxes than any camera writes. The limit stops files full of tiny boxes from keeping the server busy. */
export const MAX_BOXES = 20_000;
/** Size limit of the table; an hour of film needs 2 MiB. */
const MAX_TABLE_BYTES = 16 * 1024 * 1024;

/** Error message for an inconsistent container. */
export interface BoxWords {
  damaged: string;
  cutOff: string;
}

/** A box of the ISO base media format, the container of MP4, M4A and QuickTime (ISO/IEC 14496-12, 4.2). */
export interface Box extends Range {
  type: string;
  /** Offset of its content, relative to the buffer in which it was found. */
  content: number;
}

/** Reads a box header; null if there cannot be one. */
function headOf(bytes: Buffer, offset: number, end: number): Box | null {
  if (bytes.length < 8) return null;
  const type = bytes.toString('latin1', 4, 8);
  const short = bytes.readUInt32BE(0);
  let [length, head] = [short, 8];
  if (short === 0) length = end - offset;
  if (short === 1) {
    if (bytes.length < 16) return null;
    length = Number(bytes.readBigUInt64BE(8));
    head = 16;
  }
  return length < head ? null : { type, offset, length, content: offset + head };
}

/** Reads boxes in memory. Refuses a box that exceeds its parent, with the given message. */
export function boxReader({ damaged }: BoxWords) {
  /** Lists the sibling boxes in a part of `bytes`. @throws FileRefused if they exceed it or are too many */
  function* within(bytes: Buffer, start: number, end: number): Generator<Box> {
    let count = 0;
    for (let at = start; end - at >= 8;) {
      const box = headOf(bytes.subarray(at, Math.min(end, at + 16)), at, end);
      count += 1;
      if (box === null || box.length > end - at || count > MAX_BOXES) throw new FileRefused(damaged);
      yield box;
      at += box.length;
    }
  }

  const childrenOf = (bytes: Buffer, parent: Box) => within(bytes, parent.content, parent.offset + parent.length);

  return {
    refusal: () => new FileRefused(damaged),
    childrenOf,

    /** Finds the first box at a path of types. */
    find(bytes: Buffer, parent: Box, ...path: string[]): Box | null {
      let found: Box | null = parent;
      for (const type of path) {
        const children: Box[] = found === null ? [] : [...childrenOf(bytes, found)];
        found = children.find((box) => box.type === type) ?? null;
      }
      return found;
    },

    /** Reads a number in a box. @throws FileRefused if it exceeds the end of the box */
    field(bytes: Buffer, box: Box, offset: number, size: 1 | 4 | 8): number {
      const at = box.content + offset;
      if (at + size > box.offset + box.length) throw new FileRefused(damaged);
      if (size === 1) return bytes.readUInt8(at);
      return size === 4 ? bytes.readUInt32BE(at) : Number(bytes.readBigUInt64BE(at));
    },
  };
}

type BoxReader = ReturnType<typeof boxReader>;

/** The metadata table (`moov`) of a video or recording, in memory. */
export interface Movie {
  bytes: Buffer;
  /** The `moov` box, relative to `bytes`. */
  box: Box;
  /** Offset of `bytes` in the file. */
  offset: number;
  tracks: Box[];
  /** All top-level boxes of the file. */
  top: Box[];
}

/**
 * Reads the top-level boxes of a file and its table.
 * @throws FileRefused if a box is truncated or damaged, or the table or the content is missing
 */
export async function readMovie(window: FileWindow, words: BoxWords): Promise<Movie> {
  const top: Box[] = [];
  for (let at = 0; window.length - at >= 8;) {
    const box = headOf(await window.read(at, 16), at, window.length);
    if (box === null || top.length >= MAX_BOXES) throw new FileRefused(words.damaged);
    if (box.length > window.length - at) throw new FileRefused(words.cutOff);
    top.push(box);
    at += box.length;
  }
  const movie = top.find(({ type }) => type === 'moov');
  const hasContent = top.some(({ type }) => type === 'mdat');
  // A camera that lost power has written the content but not the table.
  if (movie === undefined || !hasContent) throw new FileRefused(hasContent ? words.cutOff : words.damaged);
  if (movie.length > MAX_TABLE_BYTES) throw new FileRefused(words.damaged);
  const bytes = await window.read(movie.offset, movie.length);
  const box: Box = { ...movie, offset: 0, content: movie.content - movie.offset };
  const tracks = [...boxReader(words).childrenOf(bytes, box)].filter(({ type }) => type === 'trak');
  return { bytes, box, offset: movie.offset, tracks, top };
}

/** Returns the handler type of a track, such as 'vide' or 'soun'; null if absent. */
export function handlerOf(reader: BoxReader, bytes: Buffer, track: Box): string | null {
  const handler = reader.find(bytes, track, 'mdia', 'hdlr');
  if (handler === null) return null;
  const type = Buffer.alloc(4);
  type.writeUInt32BE(reader.field(bytes, handler, 8, 4));
  return type.toString('latin1');
}

/** Returns the duration in seconds; null if the table does not contain it (a recording streamed to disk). */
export function durationOf(reader: BoxReader, { bytes, box }: Movie): number | null {
  const header = reader.find(bytes, box, 'mvhd');
  if (header === null) throw reader.refusal();
  const isLong = reader.field(bytes, header, 0, 1) === 1;
  const scale = reader.field(bytes, header, isLong ? 20 : 12, 4);
  const units = isLong ? reader.field(bytes, header, 24, 8) : reader.field(bytes, header, 16, 4);
  // All bits set means that the duration is unknown.
  if (scale === 0 || units === 0 || units >= (isLong ? 2 ** 63 : 0xffffffff)) return null;
  return units / scale;
}
