import { FileWindow } from './file-window.ts';

/**
 * The duration of recordings that consist of frames and say nowhere how many: AAC as phones stream it, and MP3 of varying quality. The
 * library reads such a file frame by frame through a stream, which takes minutes for one of 50 MB.
 */

interface Frame {
  /** With its header. */
  bytes: number;
  seconds: number;
}

/** Reads the header of a frame at an offset; null if there is none. At least `HEADER_BYTES` follow the offset. */
type ReadFrame = (bytes: Buffer, at: number) => Frame | null;

const HEADER_BYTES = 7;
const WINDOW_BYTES = 1024 * 1024;

const AAC_SAMPLE_RATES = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
];

/** ADTS (ISO/IEC 13818-7, 6.2). */
export const readAacFrame: ReadFrame = (bytes, at) => {
  if (bytes.readUInt8(at) !== 0xff || (bytes.readUInt8(at + 1) & 0xf6) !== 0xf0) return null;
  const sampleRate = AAC_SAMPLE_RATES[(bytes.readUInt8(at + 2) >> 2) & 0xf];
  const length = (bytes.readUInt32BE(at + 3) >>> 13) & 0x1fff;
  if (sampleRate === undefined || length < HEADER_BYTES) return null;
  const blocks = (bytes.readUInt8(at + 6) & 3) + 1;
  return { bytes: length, seconds: (blocks * 1024) / sampleRate };
};

/** Kilobits per second by the index in the header, for layer III of MPEG 1 and of its lower sample rates. */
const BIT_RATES = {
  full: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  low: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};
const MP3_SAMPLE_RATES = [44_100, 48_000, 32_000];
/** By the version in the header; the second is reserved. */
const RATE_DIVISORS = [4, undefined, 2, 1];

/** Layer III of MPEG 1, 2 and 2.5 (ISO/IEC 11172-3, 2.4.1.3). */
export const readMp3Frame: ReadFrame = (bytes, at) => {
  const [second, third] = [bytes.readUInt8(at + 1), bytes.readUInt8(at + 2)];
  const isLayerThree = ((second >> 1) & 3) === 1;
  if (bytes.readUInt8(at) !== 0xff || (second & 0xe0) !== 0xe0 || !isLayerThree) return null;
  const divisor = RATE_DIVISORS[(second >> 3) & 3];
  const rate = MP3_SAMPLE_RATES[(third >> 2) & 3];
  const isFull = divisor === 1;
  const kilobits = (isFull ? BIT_RATES.full : BIT_RATES.low)[third >> 4];
  if (divisor === undefined || rate === undefined || !kilobits) return null;
  const samples = isFull ? 1152 : 576;
  const sampleRate = rate / divisor;
  const padding = (third >> 1) & 1;
  return { bytes: Math.floor((samples * kilobits * 125) / sampleRate) + padding, seconds: samples / sampleRate };
};

/** Returns the length of all frames of a file in seconds. What lies between frames, such as tags, counts nothing. */
export function measureFrames(file: string, readFrame: ReadFrame): Promise<number> {
  return FileWindow.over(file, async (window) => {
    let seconds = 0;
    let at = 0;
    while (window.length - at >= HEADER_BYTES) {
      const bytes = await window.read(at, WINDOW_BYTES);
      let inside = 0;
      while (bytes.length - inside >= HEADER_BYTES) {
        const frame = readFrame(bytes, inside);
        if (frame !== null) seconds += frame.seconds;
        inside += frame?.bytes ?? 1;
      }
      at += inside;
    }
    return seconds;
  });
}
