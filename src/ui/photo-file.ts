import type { Rect } from '#lib/crop.ts';

/** Long edges and JPEG qualities, best first; a phone's photo usually fits with the first. */
const STEPS = [
  { edgePx: 4096, quality: 0.88 },
  { edgePx: 3000, quality: 0.85 },
  { edgePx: 2048, quality: 0.82 },
  { edgePx: 1600, quality: 0.75 },
] as const;
const THUMBNAIL = { edgePx: 480, quality: 0.8 };

const jpegName = (name: string) => `${name.replace(/\.[a-z0-9]{1,5}$/i, '')}.jpg`;

/** Creates a white canvas, at least one pixel large. Null if the browser provides no 2D context. */
function createWhiteCanvas(width: number, height: number): CanvasRenderingContext2D | null {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width));
  canvas.height = Math.max(1, Math.round(height));
  const context = canvas.getContext('2d');
  if (!context) return null;
  // JPEG has no transparency: without a background, transparent areas would become black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return context;
}

/** Draws a picture, or the current frame of a video, as a JPEG of this size in pixels. Null if the browser cannot. */
export async function drawJpeg(
  source: CanvasImageSource,
  { width, height }: { width: number; height: number },
  quality: number,
): Promise<Blob | null> {
  const context = createWhiteCanvas(width, height);
  if (!context) return null;
  const { canvas } = context;
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
}

/** Draws the picture as a JPEG whose long edge is at most `edgePx`. */
function draw(bitmap: ImageBitmap, { edgePx, quality }: { edgePx: number; quality: number }): Promise<Blob | null> {
  const share = Math.min(1, edgePx / Math.max(bitmap.width, bitmap.height));
  return drawJpeg(bitmap, { width: bitmap.width * share, height: bitmap.height * share }, quality);
}

/** Runs `work` on the decoded picture, rotated upright. Null if the browser cannot decode it. */
async function withBitmap<T>(picture: Blob, work: (bitmap: ImageBitmap) => Promise<T | null>): Promise<T | null> {
  const bitmap = await createImageBitmap(picture, { imageOrientation: 'from-image' }).catch(() => null);
  if (!bitmap) return null;
  try {
    return await work(bitmap);
  } finally {
    bitmap.close();
  }
}

export interface Thumbnail {
  /** Small JPEG. */
  thumb: ArrayBuffer;
  /** Size of the full picture, in pixels. */
  width: number;
  height: number;
}

/** Creates the thumbnail that lists show until the picture is on the server. Null if the browser cannot decode it. */
export function createThumbnail(picture: Blob): Promise<Thumbnail | null> {
  return withBitmap(picture, async (bitmap) => {
    const blob = await draw(bitmap, THUMBNAIL);
    return blob && { thumb: await blob.arrayBuffer(), width: bitmap.width, height: bitmap.height };
  });
}

/** Converts a picture to a JPEG of at most `maxBytes`. Null if the browser cannot decode it or make it that small. */
export function shrinkPhoto(picture: Blob, maxBytes: number, name: string): Promise<File | null> {
  return withBitmap(picture, async (bitmap) => {
    for (const step of STEPS) {
      const blob = await draw(bitmap, step);
      if (blob && blob.size <= maxBytes) {
        return new File([blob], jpegName(name), { type: 'image/jpeg' });
      }
    }
    return null;
  });
}

/** Maximum width of a portrait. */
const PORTRAIT_WIDTH_PX = 1600;

/** Crops a picture to a JPEG of at most `maxBytes`. Null if the browser cannot decode or draw it. */
export function cropPhoto(picture: Blob, part: Rect, maxBytes: number, name: string): Promise<File | null> {
  return withBitmap(picture, async (bitmap) => {
    const width = Math.max(1, Math.round(Math.min(part.width, PORTRAIT_WIDTH_PX)));
    const context = createWhiteCanvas(width, (width * part.height) / part.width);
    if (!context) return null;
    const { canvas } = context;
    context.imageSmoothingQuality = 'high';
    context.drawImage(bitmap, part.left, part.top, part.width, part.height, 0, 0, canvas.width, canvas.height);
    for (const quality of [0.9, 0.75, 0.6]) {
      const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
      if (blob && blob.size <= maxBytes) return new File([blob], jpegName(name), { type: 'image/jpeg' });
    }
    return null;
  });
}
