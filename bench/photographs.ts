import sharp from 'sharp';
import { randomBytes } from 'node:crypto';

/** A photo as a camera produces it. */
export interface Photograph {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export interface Shape {
  width: number;
  height: number;
  /** JPEG quality, 1 to 100. */
  quality: number;
}

/** Noise layers from coarse to fine with their amplitudes, which fall off as in real photos. */
const DETAIL = [
  { across: 6, share: 0.4 },
  { across: 24, share: 0.25 },
  { across: 96, share: 0.15 },
  { across: 384, share: 0.1 },
  { across: 1536, share: 0.06 },
];
/** Amplitude of the per-pixel noise of a sensor. */
const GRAIN = 0.06;
const CHANNELS = 3;

async function patches(across: number, width: number, height: number): Promise<Buffer> {
  const down = Math.max(2, Math.round((across * height) / width));
  const raw = { width: across, height: down, channels: CHANNELS } as const;
  return sharp(randomBytes(across * down * CHANNELS), { raw })
    .resize(width, height, { kernel: 'cubic', fit: 'fill' })
    .raw()
    .toBuffer();
}

/** One large picture of layered noise, from which the photos are cut. */
async function scene(width: number, height: number): Promise<Buffer> {
  const light = new Float32Array(width * height * CHANNELS);
  const grain = randomBytes(light.length);
  for (const { across, share } of [...DETAIL, { across: 0, share: GRAIN }]) {
    const layer = across === 0 ? grain : await patches(across, width, height);
    for (let at = 0; at < light.length; at += 1) light[at] = (light[at] ?? 0) + (layer[at] ?? 0) * share;
  }
  return Buffer.from(Uint8ClampedArray.from(light));
}

/** Offset in pixels between photos, so that all differ. */
const STEP = 7;

/**
 * Generates distinct pictures that compress like photos. Pure noise would not compress at all and plain colors almost
 * to nothing.
 */
export async function photographs(count: number, { width, height, quality }: Shape): Promise<Photograph[]> {
  const room = { width: width + STEP * 32, height: height + STEP * 32 };
  const whole = await scene(room.width, room.height);
  const cut = async (n: number): Promise<Photograph> => {
    const image = sharp(whole, { raw: { ...room, channels: CHANNELS } })
      .extract({ left: STEP * (n % 32), top: STEP * (Math.floor(n / 32) % 32), width, height })
      .modulate({ hue: (n * 47) % 360 });
    return {
      name: `photograph-${n + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await image.jpeg({ quality }).toBuffer(),
    };
  };
  const made: Photograph[] = [];
  for (let n = 0; n < count; n += 1) made.push(await cut(n));
  return made;
}
