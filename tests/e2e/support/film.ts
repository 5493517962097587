import type { Page } from '@playwright/test';
import { box } from '../../server/support/media-files.ts';

/** The pictures of one second, encoded by a browser. */
interface EncodedSecond {
  /** The decoder's configuration: the content of the box `avcC`. */
  configuration: Buffer;
  /** The first is a key frame. */
  frames: Buffer[];
  /** Pixels. */
  width: number;
  height: number;
}

interface Encoding {
  width: number;
  height: number;
  /** Bits per second. */
  bitrate: number;
  /** How far the colors turn from one picture to the next, in degrees. Small steps can be encoded well. */
  step: number;
}

/** A recording of the booth. */
const SMALL: Encoding = { width: 1280, height: 720, bitrate: 2_500_000, step: 37 };
/** What phones record. */
export const LARGE: Encoding = { width: 1920, height: 1080, bitrate: 10_000_000, step: 4 };

const FRAMES = 25;

const u16 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 255])));
function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [n, value] of values.entries()) bytes.writeUInt32BE(value, 4 * n);
  return bytes;
}
const text = (value: string) => Buffer.from(value, 'latin1');
const MATRIX = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

/** Encodes one second of moving noise as H.264, as phones do. */
export async function encodeSecond(page: Page, encoding = SMALL): Promise<EncodedSecond> {
  const encoded = await page.evaluate(
    async ({ width, height, bitrate, step, count }) => {
      // A method, because a bundler may wrap a standalone function in a helper that does not exist in the page.
      const base64 = {
        encode(bytes: Uint8Array): string {
          return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
        },
      };
      const frames: string[] = [];
      let configuration = '';
      const failed = Promise.withResolvers<never>();
      const encoder = new VideoEncoder({
        output(chunk, metadata) {
          const bytes = new Uint8Array(chunk.byteLength);
          chunk.copyTo(bytes);
          frames.push(base64.encode(bytes));
          const description = metadata?.decoderConfig?.description;
          if (description instanceof ArrayBuffer) configuration = base64.encode(new Uint8Array(description));
        },
        error: failed.reject,
      });
      encoder.configure({ codec: 'avc1.420028', width, height, bitrate, framerate: count });
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d')!;
      for (let n = 0; n < count; n += 1) {
        for (let x = 0; x < width; x += 40) {
          for (let y = 0; y < height; y += 40) {
            context.fillStyle = `hsl(${(x * 7 + y * 13 + n * step) % 360} 80% 50%)`;
            context.fillRect(x, y, 40, 40);
          }
        }
        const frame = new VideoFrame(canvas, { timestamp: (n * 1_000_000) / count });
        encoder.encode(frame, { keyFrame: n === 0 });
        frame.close();
      }
      await Promise.race([encoder.flush(), failed.promise]);
      return { configuration, frames };
    },
    { ...encoding, count: FRAMES },
  );
  const toBytes = (value: string) => Buffer.from(value, 'base64');
  const { width, height } = encoding;
  return { configuration: toBytes(encoded.configuration), frames: encoded.frames.map(toBytes), width, height };
}

/**
 * Writes an MP4 of at least this size that repeats a second again and again. Chromium plays it.
 * @param index where the index stands: in front of the pictures, or behind them as most cameras write it
 */
export function buildFilm(second: EncodedSecond, bytes: number, index: 'in front' | 'at the end'): Buffer {
  const { configuration, frames, width, height } = second;
  const secondBytes = frames.reduce((sum, frame) => sum + frame.length, 0);
  const seconds = Math.ceil(bytes / secondBytes);
  const pictures = box('mdat', ...Array.from({ length: seconds }, () => frames).flat());
  const fileType = box('ftyp', text('isom'), u32(0x200), text('isomiso2avc1mp41'));

  const buildIndex = (firstPictureAt: number) => {
    const entry = box(
      'avc1',
      ...[Buffer.alloc(6), u16(1), Buffer.alloc(16), u16(width, height), u32(0x480000, 0x480000, 0), u16(1)],
      ...[Buffer.alloc(32), u16(24, 0xffff), box('avcC', configuration)],
    );
    const numbers = Array.from({ length: seconds }, (_, n) => n);
    const table = box(
      'stbl',
      box('stsd', u32(0, 1), entry),
      box('stts', u32(0, 1, seconds * FRAMES, 1)),
      box('stss', u32(0, seconds, ...numbers.map((n) => n * FRAMES + 1))),
      box('stsc', u32(0, 1, 1, FRAMES, 1)),
      box('stsz', u32(0, 0, seconds * FRAMES, ...numbers.flatMap(() => frames.map(({ length }) => length)))),
      box('stco', u32(0, seconds, ...numbers.map((n) => firstPictureAt + n * secondBytes))),
    );
    const media = box(
      'mdia',
      box('mdhd', u32(0, 0, 0, FRAMES, seconds * FRAMES, 0x55c40000)),
      box('hdlr', u32(0, 0), text('vide'), Buffer.alloc(13)),
      box('minf', box('vmhd', u32(1, 0, 0)), box('dinf', box('dref', u32(0, 1), box('url ', u32(1)))), table),
    );
    const track = box('tkhd', u32(3, 0, 0, 1, 0, seconds * 1000, 0, 0, 0, 0), MATRIX, u32(width << 16, height << 16));
    const header = u32(0, 0, 0, 1000, seconds * 1000, 0x10000, 0x01000000, 0, 0);
    const movie = box('mvhd', header, MATRIX, Buffer.alloc(24), u32(2));
    return box('moov', movie, box('trak', track, media));
  };
  const HEADER_BYTES = 8;
  if (index === 'at the end') return Buffer.concat([fileType, pictures, buildIndex(fileType.length + HEADER_BYTES)]);
  // The length of the index does not depend on what it says.
  const indexBytes = buildIndex(0).length;
  return Buffer.concat([fileType, buildIndex(fileType.length + indexBytes + HEADER_BYTES), pictures]);
}
