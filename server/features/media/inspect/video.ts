import { FileRefused } from './refused.ts';
import { FileWindow } from './file-window.ts';

/** What the container of a video says of it. */
export interface VideoFacts {
  /** Seconds; null where the container does not tell (a recording that was streamed to disk). */
  durationSeconds: number | null;
  /** As it is shown, turned upright. */
  width: number;
  height: number;
  /** Where the file tells things nobody sees, the place it was filmed at among them. */
  hidden: readonly Range[];
}

export interface Range {
  offset: number;
  length: number;
}

const DAMAGED = 'This file is damaged or not a video';
const CUT_OFF = 'This video is incomplete. Copy it to your device again';
/** More boxes than any camera writes; a file full of tiny ones is made to keep us busy. */
const MOST_BOXES = 20_000;
/** The table of an hour of film takes two. */
const MOST_TABLE_BYTES = 16 * 1024 * 1024;

interface Box extends Range {
  type: string;
  /** Where its content begins, from the beginning of what it was found in. */
  content: number;
}

/** The head of a box of the ISO base media format (ISO/IEC 14496-12, 4.2). Null where none can be. */
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

/** The boxes side by side in a part of `bytes`. @throws FileRefused where they do not fit into it, or are too many */
function* boxesIn(bytes: Buffer, start: number, end: number): Generator<Box> {
  let count = 0;
  for (let at = start; end - at >= 8;) {
    const box = headOf(bytes.subarray(at, Math.min(end, at + 16)), at, end);
    count += 1;
    if (box === null || box.length > end - at || count > MOST_BOXES) throw new FileRefused(DAMAGED);
    yield box;
    at += box.length;
  }
}

const childOf = (bytes: Buffer, parent: Box, type: string): Box | null => {
  for (const box of boxesIn(bytes, parent.content, parent.offset + parent.length)) if (box.type === type) return box;
  return null;
};

/** Reads fields of a box; what stands beyond its end is a lie. */
function field(bytes: Buffer, box: Box, offset: number, size: 1 | 4 | 8): number {
  const at = box.content + offset;
  if (at + size > box.offset + box.length) throw new FileRefused(DAMAGED);
  if (size === 1) return bytes.readUInt8(at);
  return size === 4 ? bytes.readUInt32BE(at) : Number(bytes.readBigUInt64BE(at));
}

function durationOf(bytes: Buffer, movie: Box): number | null {
  const header = childOf(bytes, movie, 'mvhd');
  if (header === null) throw new FileRefused(DAMAGED);
  const isLong = field(bytes, header, 0, 1) === 1;
  const scale = field(bytes, header, isLong ? 20 : 12, 4);
  const units = isLong ? field(bytes, header, 24, 8) : field(bytes, header, 16, 4);
  // All ones mean that it is not known.
  if (scale === 0 || units === 0 || units >= (isLong ? 2 ** 63 : 0xffffffff)) return null;
  return units / scale;
}

/** Width and height of a track as it is shown; null where the track is no picture. */
function sizeOf(bytes: Buffer, track: Box): { width: number; height: number } | null {
  const media = childOf(bytes, track, 'mdia');
  const handler = media && childOf(bytes, media, 'hdlr');
  if (!handler || field(bytes, handler, 8, 4) !== Buffer.from('vide').readUInt32BE()) return null;
  const header = childOf(bytes, track, 'tkhd');
  if (header === null) throw new FileRefused(DAMAGED);
  const matrix = field(bytes, header, 0, 1) === 1 ? 52 : 40;
  const [width, height] = [36, 40].map((offset) => field(bytes, header, matrix + offset, 4) >>> 16);
  // The first number of the matrix is nothing where the picture lies on its side.
  const isTurned = field(bytes, header, matrix, 4) === 0 && field(bytes, header, matrix + 4, 4) !== 0;
  if (!width || !height) return null;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** Boxes with words about a video, its place and its maker, right in a movie or a track. */
const hiddenIn = (bytes: Buffer, parent: Box): Box[] =>
  [...boxesIn(bytes, parent.content, parent.offset + parent.length)].filter(isWords);
const isWords = ({ type }: Box) => type === 'udta' || type === 'meta' || type === 'uuid';

/** MP4 and QuickTime. @throws FileRefused */
async function inspectBoxes(window: FileWindow): Promise<VideoFacts> {
  let movie: Box | null = null;
  let hasPictures = false;
  const hidden: Range[] = [];
  let count = 0;
  for (let at = 0; window.length - at >= 8;) {
    const box = headOf(await window.read(at, 16), at, window.length);
    count += 1;
    if (box === null || count > MOST_BOXES) throw new FileRefused(DAMAGED);
    if (box.length > window.length - at) throw new FileRefused(CUT_OFF);
    if (box.type === 'moov') movie ??= box;
    if (box.type === 'mdat') hasPictures = true;
    if (isWords(box)) hidden.push(box);
    at += box.length;
  }
  // A camera that lost power wrote the pictures and never the table of them.
  if (movie === null || !hasPictures) throw new FileRefused(hasPictures ? CUT_OFF : DAMAGED);
  if (movie.length > MOST_TABLE_BYTES) throw new FileRefused(DAMAGED);
  const bytes = await window.read(movie.offset, movie.length);
  const inside: Box = { ...movie, offset: 0, content: movie.content - movie.offset };
  const tracks = [...boxesIn(bytes, inside.content, inside.length)].filter(({ type }) => type === 'trak');
  const size = tracks.map((track) => sizeOf(bytes, track)).find((found) => found !== null);
  if (size === undefined) throw new FileRefused('This file has no moving picture');
  const within = [inside, ...tracks].flatMap((parent) => hiddenIn(bytes, parent));
  const all = hidden.concat(within.map(({ offset, length }) => ({ offset: movie.offset + offset, length })));
  if (all.length > MOST_BOXES) throw new FileRefused(DAMAGED);
  return { durationSeconds: durationOf(bytes, inside), ...size, hidden: all };
}

/** AVI: a RIFF whose header list begins with the main header (Microsoft, AVIMAINHEADER). @throws FileRefused */
async function inspectAvi(window: FileWindow): Promise<VideoFacts> {
  const head = await window.read(0, 12 + 12 + 8 + 56);
  if (head.length < 88 || head.toString('latin1', 20, 24) !== 'hdrl' || head.toString('latin1', 24, 28) !== 'avih') {
    throw new FileRefused(DAMAGED);
  }
  if (head.readUInt32LE(4) > window.length - 8) throw new FileRefused(CUT_OFF);
  const [frameMicros, frames] = [head.readUInt32LE(32), head.readUInt32LE(48)];
  const [width, height] = [head.readUInt32LE(64), head.readUInt32LE(68)];
  let hasPictures = false;
  const hidden: Range[] = [];
  for (let [at, count] = [12, 0]; window.length - at >= 8; count += 1) {
    const chunk = await window.read(at, 12);
    const length = 8 + chunk.readUInt32LE(4);
    if (count > MOST_BOXES) throw new FileRefused(DAMAGED);
    if (length > window.length - at) throw new FileRefused(CUT_OFF);
    const list = chunk.toString('latin1', 0, 4) === 'LIST' ? chunk.toString('latin1', 8, 12) : '';
    if (list === 'movi') hasPictures = true;
    if (list === 'INFO') hidden.push({ offset: at, length });
    // Chunks begin at even places.
    at += length + (length % 2);
  }
  if (!hasPictures || width === 0 || height === 0 || width > 0xffff || height > 0xffff) throw new FileRefused(DAMAGED);
  const durationSeconds = frames > 0 && frameMicros > 0 ? (frames * frameMicros) / 1_000_000 : null;
  return { durationSeconds, width, height, hidden };
}

/**
 * Walks through the container of a video, from end to end and without decoding a picture.
 * @param kind what the first bytes say
 * @throws FileRefused when it is cut off, damaged or no video
 */
export function inspectVideo(file: string, kind: 'mp4' | 'mov' | 'avi'): Promise<VideoFacts> {
  return FileWindow.over(file, kind === 'avi' ? inspectAvi : inspectBoxes);
}
