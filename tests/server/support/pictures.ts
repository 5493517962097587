import sharp from 'sharp';
import { deflateSync, crc32 } from 'node:zlib';

/** Pictures are generated, so that the repository contains no binary files. */
const blank = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 30, g: 60, b: 120 } } });

export const jpeg = (width: number, height: number) => blank(width, height).jpeg().toBuffer();
export const png = (width: number, height: number) => blank(width, height).png().toBuffer();

/** A JPEG of exactly `bytes` bytes that hardly compresses. */
export async function heavyJpeg(bytes: number): Promise<Buffer> {
  const edge = Math.floor(Math.sqrt(bytes / 2.2));
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const picture = await sharp({ create: { width: edge, height: edge, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 95 })
    .toBuffer();
  if (picture.byteLength > bytes) throw new Error(`${picture.byteLength} bytes came out, more than ${bytes}`);
  // A JPEG may have trailing data; phones use it for motion photos.
  return Buffer.concat([picture, Buffer.alloc(bytes - picture.byteLength)]);
}

/** A photo with orientation 6, GPS coordinates and an artist name. */
export const photoWithGps = () =>
  blank(600, 400)
    .composite([{ input: { create: { width: 40, height: 400, channels: 3, background: 'red' } }, left: 0, top: 0 }])
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Artist: 'GPS-secret' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 0/1' },
    })
    .toBuffer();

/** 12,000 × 12,000 pixels in a few hundred kB: a decompression bomb. Generated once because it is slow. */
export async function hugePng(): Promise<Buffer> {
  huge ??= makeHugePng();
  return Promise.resolve(huge);
}
let huge: Buffer | null = null;

function makeHugePng(): Buffer {
  const edge = 12_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(edge, 0);
  header.writeUInt32BE(edge, 4);
  header.set([8, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.alloc((edge + 1) * edge))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.byteLength, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

const only = 'Only .JPG, .JPEG and .PNG photos';
const damaged = 'This file is damaged or not a picture';
const bytes = (text: string) => () => Promise.resolve(Buffer.from(text));

/** Files that are not valid photos and the expected error for each. */
export const hostileFiles: { name: string; make: () => Promise<Uint8Array>; error: string }[] = [
  { name: 'zero bytes', make: () => Promise.resolve(Buffer.alloc(0)), error: 'This file is empty' },
  {
    name: 'PHP behind JPEG magic bytes',
    make: () =>
      Promise.resolve(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('<?php system($_GET[0]);')])),
    error: damaged,
  },
  {
    name: 'PHP behind PNG magic bytes',
    make: async () => Buffer.concat([(await png(4, 4)).subarray(0, 33), Buffer.from('<?php phpinfo();')]),
    error: damaged,
  },
  {
    name: 'half a JPEG',
    make: async () => (await photoWithGps()).subarray(0, -1500),
    error: damaged,
  },
  {
    name: 'half a PNG',
    make: async () => {
      const whole = await sharp({
        create: {
          width: 300,
          height: 300,
          channels: 3,
          background: '#888',
          noise: { type: 'gaussian', mean: 128, sigma: 40 },
        },
      })
        .png()
        .toBuffer();
      return whole.subarray(0, whole.byteLength / 2);
    },
    error: damaged,
  },
  {
    name: 'an SVG with a script',
    make: bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    error: only,
  },
  { name: 'an HTML page', make: bytes('<!doctype html><script>alert(1)</script>'), error: only },
  { name: 'plain text', make: bytes('To be, or not to be'), error: only },
  { name: 'a GIF', make: () => blank(10, 10).gif().toBuffer(), error: only },
  { name: 'a TIFF', make: () => blank(10, 10).tiff().toBuffer(), error: only },
  { name: 'an AVIF', make: () => blank(10, 10).avif().toBuffer(), error: only },
  {
    name: 'a picture of 144 megapixels',
    make: hugePng,
    error: 'This picture has more than 60 megapixels. Choose a smaller one',
  },
];
