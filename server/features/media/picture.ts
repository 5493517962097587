import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import sharp, { type Sharp } from 'sharp';
import { TAKE_STRIP } from '#contract/casting/take-strip.ts';
import { LIMITS } from '#contract/limits.ts';
import { ConcurrencyLimiter } from '#server/platform/http/concurrency-limiter.ts';
import { FileRefused } from './inspect/refused.ts';

export interface PictureFile {
  /** Path of a temporary file in the caller's folder. */
  file: string;
  extension: string;
  type: string;
  width: number;
  height: number;
}

const KINDS = {
  jpg: { type: 'image/jpeg', encode: (image: Sharp) => image.jpeg({ quality: 90 }) },
  png: { type: 'image/png', encode: (image: Sharp) => image.png() },
  webp: { type: 'image/webp', encode: (image: Sharp) => image.webp({ quality: 82 }) },
} as const;
type Kind = keyof typeof KINDS;

/** Widths of the smaller copies in pixels: list thumbnail, phone grid, desktop card. */
const RENDITION_WIDTHS = [160, 480, 960] as const;
/** The longer edge of avatars and of posters that are stored once, in pixels. */
const SMALL_EDGE = 640;

// Disable all other decoders, so that a file that passes the magic-byte check cannot reach them.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });
// Disable libvips's cache: decoded pictures are never used again.
sharp.cache(false);

// A large picture decodes to hundreds of MB; decoding two at a time bounds memory.
const decoding = new ConcurrencyLimiter(2, 40);

/**
 * Prepares a photo for storage: same format and size, rotated upright, without GPS or other metadata, plus smaller copies.
 * @param source a file of unknown content
 * @param folder for the results
 * @throws FileRefused if it is not a complete JPEG or PNG within the limits
 */
export async function preparePhoto(source: string, folder: string) {
  const kind = await detectKind(source, ['jpg', 'png'], 'Only .JPG, .JPEG and .PNG photos');
  return decoding.run(async () => {
    const photo = await decode(source, kind, (image) => image, folder);
    const copies: PictureFile[] = [];
    for (const width of RENDITION_WIDTHS) {
      if (copies.length > 0 && width > photo.width) break;
      copies.push(...(await shrink(photo.file, width, folder)));
    }
    return { photo, copies };
  });
}

/** Prepares an avatar: one WebP of at most 640 pixels per side, upright, without metadata. Also accepts WebP; otherwise like `preparePhoto`. */
export async function prepareAvatar(source: string, folder: string): Promise<PictureFile> {
  await detectKind(source, ['jpg', 'png', 'webp'], 'Only JPEG, PNG and WebP pictures');
  return decodeSmall(source, folder);
}

/** Prepares the small picture of a video that lists show: a WebP. @throws FileRefused if it is no complete JPEG */
export async function preparePoster(source: string, folder: string): Promise<PictureFile> {
  await detectKind(source, ['jpg'], 'Send a JPEG');
  return decodeSmall(source, folder);
}

/** Prepares the frames of a video that lie side by side in one picture: a WebP. @throws FileRefused if it is no complete JPEG */
export async function prepareStrip(source: string, folder: string): Promise<PictureFile> {
  await detectKind(source, ['jpg'], 'Send a JPEG');
  const { frames, edgePx } = TAKE_STRIP;
  return decodeSmall(source, folder, { width: frames * edgePx, height: edgePx });
}

const decodeSmall = (
  source: string,
  folder: string,
  bounds = { width: SMALL_EDGE, height: SMALL_EDGE },
): Promise<PictureFile> => {
  const inside = { ...bounds, fit: 'inside', withoutEnlargement: true } as const;
  return decoding.run(() => decode(source, 'webp', (image) => image.resize(inside), folder));
};

async function detectKind<K extends Kind>(source: string, taken: readonly K[], refusal: string): Promise<K> {
  const head = await firstBytes(source);
  if (head.byteLength === 0) throw new FileRefused('This file is empty');
  const found = await fileTypeFromBuffer(head);
  const kind = taken.find((candidate) => candidate === found?.ext);
  if (kind === undefined) throw new FileRefused(refusal);
  return kind;
}

async function firstBytes(source: string): Promise<Uint8Array> {
  const handle = await open(source, 'r');
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(4100), position: 0 });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function decode(
  source: string,
  kind: Kind,
  shape: (image: Sharp) => Sharp,
  folder: string,
): Promise<PictureFile> {
  const image = sharp(source, { limitInputPixels: LIMITS.photoPixels, failOn: 'error' });
  try {
    return await save(shape(image.autoOrient()), kind, folder);
  } catch (error) {
    throw toFileRefused(error);
  }
}

async function shrink(file: string, width: number, folder: string): Promise<PictureFile[]> {
  // Also bound the height: a photo of 1,000 × 60,000 pixels must not become a thumbnail of 57,600 rows.
  const inside = { width, height: width * 3, fit: 'inside', withoutEnlargement: true } as const;
  const { data, info } = await sharp(file).resize(inside).raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return Promise.all([
    // Effort 2 costs a fifteenth of the default's time for the same size within 3 %.
    saveAs(sharp(data, { raw }).avif({ quality: 50, effort: 2 }), 'avif', 'image/avif', folder),
    saveAs(sharp(data, { raw }).webp({ quality: 75 }), 'webp', 'image/webp', folder),
  ]);
}

const save = (image: Sharp, kind: Kind, folder: string) =>
  saveAs(KINDS[kind].encode(image), kind, KINDS[kind].type, folder);

async function saveAs(image: Sharp, extension: string, type: string, folder: string): Promise<PictureFile> {
  const file = path.join(folder, `${randomUUID()}.${extension}`);
  const { width, height } = await image.timeout({ seconds: 30 }).toFile(file);
  return { file, extension, type, width, height };
}

/** Replaces decoder errors with messages that say what to do. Disk errors pass through, because the picture is not at fault. */
function toFileRefused(error: unknown): unknown {
  if (!(error instanceof Error) || /no space|write error|unable to (open|write) .*for write/i.test(error.message)) {
    return error;
  }
  if (/pixel limit/i.test(error.message)) {
    return new FileRefused(
      `This picture has more than ${LIMITS.photoPixels / 1_000_000} megapixels. Choose a smaller one`,
    );
  }
  return new FileRefused('This file is damaged or not a picture');
}
