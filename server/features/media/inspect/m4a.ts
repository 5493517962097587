import { boxReader, durationOf, handlerOf, readMovie, type Box, type Movie } from './boxes.ts';
import { FileWindow } from './file-window.ts';
import { FileRefused } from './refused.ts';

const DAMAGED = 'This file is damaged or not a recording';
const WORDS = { damaged: DAMAGED, cutOff: 'This recording is incomplete. Copy it to your device again' };
const HAS_PICTURES = 'This file has a moving picture. Add it under Videos';
const NOT_AAC = 'This recording does not play in every browser. Export it as AAC or MP3';
const reader = boxReader(WORDS);

/** Object types of MPEG-4 and MPEG-2 AAC (ISO/IEC 14496-1, 7.2.6.6.2); others, such as MP3 in MP4, play in few browsers. */
const AAC_OBJECT_TYPES = new Set([0x40, 0x66, 0x67, 0x68]);
/** Bytes of a sample entry for sound before its own boxes, by the version of the entry (ISO/IEC 14496-12, 12.2.3; QuickTime). */
const SOUND_ENTRY_BYTES: Record<number, number> = { 0: 28, 1: 44 };

/** Whether the table contains a video track. Cover art is metadata, not a track. */
const hasPictures = ({ bytes, tracks }: Movie) => tracks.some((track) => handlerOf(reader, bytes, track) === 'vide');

/** The object type in an `esds` box: a chain of descriptors, each a tag, its length in 1 to 4 bytes, and its content. */
function objectTypeOf(bytes: Buffer, esds: Box): number | null {
  let at = 4;
  const next = () => reader.field(bytes, esds, at++, 1);
  const skipLength = () => {
    for (let left = 4; left > 0 && next() >= 0x80; left -= 1) continue;
  };
  if (next() !== 0x03) return null;
  skipLength();
  at += 2;
  const flags = next();
  if (flags & 0x80) at += 2;
  if (flags & 0x40) at += next();
  if (flags & 0x20) at += 2;
  if (next() !== 0x04) return null;
  skipLength();
  return next();
}

/** Whether every sample entry of a track is AAC. */
function isAac(bytes: Buffer, track: Box): boolean {
  const table = reader.find(bytes, track, 'mdia', 'minf', 'stbl', 'stsd');
  if (table === null) return false;
  const entries = [...reader.childrenOf(bytes, { ...table, content: table.content + 8 })];
  const isAacEntry = (entry: Box) => {
    if (entry.type !== 'mp4a') return false;
    const headBytes = SOUND_ENTRY_BYTES[reader.field(bytes, entry, 9, 1)];
    if (headBytes === undefined || entry.length < 8 + headBytes) return false;
    const inside = { ...entry, content: entry.content + headBytes };
    const esds = reader.find(bytes, inside, 'esds') ?? reader.find(bytes, inside, 'wave', 'esds');
    return esds !== null && AAC_OBJECT_TYPES.has(objectTypeOf(bytes, esds) ?? 0);
  };
  return entries.length > 0 && entries.every(isAacEntry);
}

/**
 * Inspects the whole container of a voice memo (M4A: audio-only MP4), without decoding it.
 * @returns its duration in seconds; null if the container does not contain it
 * @throws FileRefused if it is truncated or damaged, has a video track, or contains a codec other than AAC
 */
export function inspectM4a(file: string): Promise<{ durationSeconds: number | null }> {
  return FileWindow.over(file, async (window) => {
    const movie = await readMovie(window, WORDS);
    if (hasPictures(movie)) throw new FileRefused(HAS_PICTURES);
    const sounds = movie.tracks.filter((track) => handlerOf(reader, movie.bytes, track) === 'soun');
    if (sounds.length === 0) throw new FileRefused(DAMAGED);
    if (!sounds.every((track) => isAac(movie.bytes, track))) throw new FileRefused(NOT_AAC);
    return { durationSeconds: durationOf(reader, movie) };
  });
}

/** Whether an MP4 file is audio-only. False for damaged files. */
export async function isSoundAlone(file: string): Promise<boolean> {
  try {
    return await FileWindow.over(file, async (window) => {
      const movie = await readMovie(window, WORDS);
      const isSound = movie.tracks.some((track) => handlerOf(reader, movie.bytes, track) === 'soun');
      return isSound && !hasPictures(movie);
    });
  } catch (error) {
    if (error instanceof FileRefused) return false;
    throw error;
  }
}
