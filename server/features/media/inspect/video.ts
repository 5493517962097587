import { boxReader, durationOf, handlerOf, MAX_BOXES, readMovie, type Box } from './boxes.ts';
import { FileWindow } from './file-window.ts';
import type { Range } from './range.ts';
import { FileRefused } from './refused.ts';
import type { VideoFacts } from './video-facts.ts';
import { inspectWebm } from './webm.ts';

const DAMAGED = 'This file is damaged or not a video';
const CUT_OFF = 'This video is incomplete. Copy it to your device again';
const WORDS = { damaged: DAMAGED, cutOff: CUT_OFF };
const reader = boxReader(WORDS);

/** Display width and height of a track; null if it is not a video track. */
function sizeOf(bytes: Buffer, track: Box): { width: number; height: number } | null {
  if (handlerOf(reader, bytes, track) !== 'vide') return null;
  const header = reader.find(bytes, track, 'tkhd');
  if (header === null) throw new FileRefused(DAMAGED);
  const matrix = reader.field(bytes, header, 0, 1) === 1 ? 52 : 40;
  const [width, height] = [36, 40].map((offset) => reader.field(bytes, header, matrix + offset, 4) >>> 16);
  // The first matrix element is 0 when the picture is rotated by 90 degrees.
  const isTurned = reader.field(bytes, header, matrix, 4) === 0 && reader.field(bytes, header, matrix + 4, 4) !== 0;
  if (!width || !height) return null;
  return isTurned ? { width: height, height: width } : { width, height };
}

/** Boxes with metadata: descriptions, location and device. */
const isWords = ({ type }: Box) => type === 'udta' || type === 'meta' || type === 'uuid';

/** MP4 and QuickTime. @throws FileRefused */
async function inspectBoxes(window: FileWindow): Promise<VideoFacts> {
  const movie = await readMovie(window, WORDS);
  const { bytes, box, tracks } = movie;
  const size = tracks.map((track) => sizeOf(bytes, track)).find((found) => found !== null);
  if (size === undefined) throw new FileRefused('This file has no moving picture');
  const within = [box, ...tracks].flatMap((parent) => [...reader.childrenOf(bytes, parent)].filter(isWords));
  const hidden = [
    ...movie.top.filter(isWords).map(({ offset, length }) => ({ offset, length })),
    ...within.map(({ offset, length }) => ({ offset: movie.offset + offset, length })),
  ];
  if (hidden.length > MAX_BOXES) throw new FileRefused(DAMAGED);
  return { durationSeconds: durationOf(reader, movie), ...size, hidden };
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
    if (count > MAX_BOXES) throw new FileRefused(DAMAGED);
    if (length > window.length - at) throw new FileRefused(CUT_OFF);
    const list = chunk.toString('latin1', 0, 4) === 'LIST' ? chunk.toString('latin1', 8, 12) : '';
    if (list === 'movi') hasPictures = true;
    if (list === 'INFO') hidden.push({ offset: at, length });
    // Chunks begin at even offsets.
    at += length + (length % 2);
  }
  if (!hasPictures || width === 0 || height === 0 || width > 0xffff || height > 0xffff) throw new FileRefused(DAMAGED);
  const durationSeconds = frames > 0 && frameMicros > 0 ? (frames * frameMicros) / 1_000_000 : null;
  return { durationSeconds, width, height, hidden };
}

const LOOKS = { mp4: inspectBoxes, mov: inspectBoxes, avi: inspectAvi, webm: inspectWebm };

/**
 * Inspects the whole container of a video, without decoding it.
 * @param kind the type that the first bytes indicate
 * @param present the parts of the file that are here; null: all
 * @throws FileRefused if it is truncated, damaged or not a video; RangeMissing if it needs more of the file
 */
export function inspectVideo(
  file: string,
  kind: keyof typeof LOOKS,
  present: readonly Range[] | null = null,
): Promise<VideoFacts> {
  return FileWindow.over(file, LOOKS[kind], present);
}
