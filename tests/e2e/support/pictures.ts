import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

/** A file as a picker hands it over. */
export interface Picture {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A small real JPEG of one color. Give each its own size, so that a test can tell the stored ones apart. */
export async function picture(name: string, width: number, height: number, color = '#b5651d'): Promise<Picture> {
  const blank = sharp({ create: { width, height, channels: 3, background: color } });
  return { name, mimeType: 'image/jpeg', buffer: await blank.jpeg().toBuffer() };
}

/** A real PNG of noise, three bytes per pixel, which cannot be compressed. */
export async function noisePicture(name: string, side: number): Promise<Picture> {
  const noise = randomBytes(side * side * 3);
  const raw = { width: side, height: side, channels: 3 as const };
  const buffer = await sharp(noise, { raw }).png({ compressionLevel: 0 }).toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** A noise PNG of just under ten megabytes. */
export const heavyPicture = (name: string): Promise<Picture> => noisePicture(name, 1800);
