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

const NOISE_SIDE = 1800;

/** A real PNG of noise just under ten megabytes: nothing in it can be packed smaller. */
export async function heavyPicture(name: string): Promise<Picture> {
  const raw = { width: NOISE_SIDE, height: NOISE_SIDE, channels: 3 as const };
  const noise = randomBytes(NOISE_SIDE * NOISE_SIDE * 3);
  const buffer = await sharp(noise, { raw }).png({ compressionLevel: 0 }).toBuffer();
  return { name, mimeType: 'image/png', buffer };
}
