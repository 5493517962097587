/** Reads EBML, the container of WebM: elements that each begin with an id and a length (RFC 8794; ids of RFC 9559). */
import type { FileWindow } from './file-window.ts';

export const ID = {
  Head: 0x1a45dfa3,
  Segment: 0x18538067,
  SeekHead: 0x114d9b74,
  Info: 0x1549a966,
  Tracks: 0x1654ae6b,
  Cluster: 0x1f43b675,
  Cues: 0x1c53bb6b,
  Chapters: 0x1043a770,
  Attachments: 0x1941a469,
  Tags: 0x1254c367,
  Crc32: 0xbf,
  TimestampScale: 0x2ad7b1,
  Duration: 0x4489,
  Title: 0x7ba9,
  DateUtc: 0x4461,
  MuxingApp: 0x4d80,
  WritingApp: 0x5741,
  SegmentFilename: 0x7384,
  TrackEntry: 0xae,
  TrackType: 0x83,
  CodecId: 0x86,
  ContentEncodings: 0x6d80,
  Video: 0xe0,
  PixelWidth: 0xb0,
  PixelHeight: 0xba,
  DisplayWidth: 0x54b0,
  DisplayHeight: 0x54ba,
  DisplayUnit: 0x54b2,
  Timestamp: 0xe7,
  SimpleBlock: 0xa3,
  BlockGroup: 0xa0,
  Block: 0xa1,
} as const;

/** An element without a meaning, which fills space. */
export const VOID = 0xec;

export interface Element {
  id: number;
  offset: number;
  content: number;
  /** The first byte after it; null if it does not say how long it is. */
  end: number | null;
}

/** An id of at most 4 bytes and a length of at most 8. */
const MAX_HEADER_BYTES = 12;
const CHUNK_BYTES = 64 * 1024;
/** A block begins with the number of its track, of at most 8 bytes, and its time. */
const MAX_BLOCK_HEAD_BYTES = 10;

/** How many bytes a number has whose first byte is given: as many as that begins with zeros, and one. */
const lengthOf = (first: number): number => Math.clz32(first) - 23;

/** Reads the header of an element. Null if the bytes end within it; 'broken' if there cannot be one. */
function parseHeader(bytes: Buffer, at: number, offset: number): Element | null | 'broken' {
  if (at >= bytes.length) return null;
  const idLength = lengthOf(bytes.readUInt8(at));
  if (idLength > 4) return 'broken';
  const sizeAt = at + idLength;
  if (sizeAt >= bytes.length) return null;
  const first = bytes.readUInt8(sizeAt);
  const sizeLength = lengthOf(first);
  if (sizeLength > 8) return 'broken';
  if (sizeAt + sizeLength > bytes.length) return null;
  let size = first & (0xff >> sizeLength);
  let isUnknown = size === 0xff >> sizeLength;
  for (let n = 1; n < sizeLength; n += 1) {
    const byte = bytes.readUInt8(sizeAt + n);
    isUnknown &&= byte === 0xff;
    size = size * 256 + byte;
  }
  const content = offset + idLength + sizeLength;
  return { id: bytes.readUIntBE(at, idLength), offset, content, end: isUnknown ? null : content + size };
}

/** The elements in a header that is in memory, as far as they are whole. Offsets are those in `bytes`. */
export function parseElements(bytes: Buffer): (Element & { end: number })[] {
  const elements: (Element & { end: number })[] = [];
  for (let at = 0; at < bytes.length;) {
    const element = parseHeader(bytes, at, at);
    if (element === null || element === 'broken' || element.end === null || element.end > bytes.length) break;
    elements.push({ ...element, end: element.end });
    at = element.end;
  }
  return elements;
}

/** The content of the first element with this id; null if there is none. */
export function find(bytes: Buffer, id: number): Buffer | null {
  const element = parseElements(bytes).find((each) => each.id === id);
  return element ? bytes.subarray(element.content, element.end) : null;
}

/** A whole number. Null if it is absent, or has more digits than any that means something. */
export const toInteger = (content: Buffer | null): number | null =>
  content === null || content.length > 6 ? null : content.length === 0 ? 0 : content.readUIntBE(0, content.length);

/** A number with a fraction; null if it is absent. */
export function toFloat(content: Buffer | null): number | null {
  if (content?.length === 4) return content.readFloatBE(0);
  return content?.length === 8 ? content.readDoubleBE(0) : null;
}

/** Whether a file begins as every EBML file does. */
export const isEbml = (head: Buffer): boolean => head.length >= 4 && head.readUInt32BE(0) === ID.Head;

/** Letters, which zeros may follow. */
export const toText = (content: Buffer | null): string => content?.toString('latin1').replace(/\0+$/, '') ?? '';

/** Reads elements of a file, one after the other, without loading all of it. */
export class ElementReader {
  readonly #window: FileWindow;
  readonly #damaged: () => Error;
  #chunk: Buffer = Buffer.alloc(0);
  #chunkAt = 0;

  /** @param damaged makes the error for what cannot be EBML */
  constructor(window: FileWindow, damaged: () => Error) {
    this.#window = window;
    this.#damaged = damaged;
  }

  get length(): number {
    return this.#window.length;
  }

  /** Reads a range; shorter at the end of the file. */
  async read(offset: number, length: number): Promise<Buffer> {
    const isHere = offset >= this.#chunkAt && offset + length <= this.#chunkAt + this.#chunk.length;
    if (!isHere) {
      this.#chunk = await this.#window.read(offset, Math.max(length, CHUNK_BYTES));
      this.#chunkAt = offset;
    }
    return this.#chunk.subarray(offset - this.#chunkAt, offset - this.#chunkAt + length);
  }

  /** Reads the header of an element; null if the file ends within it. */
  async readElement(at: number): Promise<Element | null> {
    const element = parseHeader(await this.read(at, Math.min(MAX_HEADER_BYTES, this.length - at)), 0, at);
    if (element === 'broken') throw this.#damaged();
    return element;
  }

  /** Reads the time of a block, in ticks from the beginning of its cluster. */
  async readBlockTick({ content, end }: Element): Promise<number> {
    const head = await this.read(content, Math.min(MAX_BLOCK_HEAD_BYTES, (end ?? content) - content));
    const at = head.length === 0 ? 0 : lengthOf(head.readUInt8(0));
    if (at + 2 > head.length) throw this.#damaged();
    return head.readInt16BE(at);
  }
}
