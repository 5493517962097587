import { randomBytes } from 'node:crypto';
import sharp from 'sharp';

/** A file as a picker hands it over. */
export interface Picture {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** A small real JPEG of one colour. Give each its own size: that is how the stored one is told from others. */
export async function picture(name: string, width: number, height: number, colour = '#b5651d'): Promise<Picture> {
  const blank = sharp({ create: { width, height, channels: 3, background: colour } });
  return { name, mimeType: 'image/jpeg', buffer: await blank.jpeg().toBuffer() };
}

/** A real PNG of noise, three bytes a pixel: nothing in it can be packed smaller. */
export async function noisePicture(name: string, side: number): Promise<Picture> {
  const noise = randomBytes(side * side * 3);
  const raw = { width: side, height: side, channels: 3 as const };
  const buffer = await sharp(noise, { raw }).png({ compressionLevel: 0 }).toBuffer();
  return { name, mimeType: 'image/png', buffer };
}

/** One just under ten megabytes. */
export const heavyPicture = (name: string): Promise<Picture> => noisePicture(name, 1800);
