import { TAKE_STRIP } from '#contract/casting/take-strip.ts';

const { frames, edgePx, maxBytes } = TAKE_STRIP;
/** A phone that needs longer sends no strip: the tape must not wait for it. */
const MAX_MS = 5000;
const QUALITIES = [0.6, 0.4];

/** The moments of the frames, in seconds: the middles of equal parts. None for a video whose length is unknown. */
export function getStripMoments(duration: number): number[] {
  if (!Number.isFinite(duration) || duration <= 0) return [];
  return Array.from({ length: frames }, (_, index) => ((index + 0.5) / frames) * duration);
}

/** The size of a frame in pixels, in the shape of the video. */
export function getFrameSize(video: { width: number; height: number }): { width: number; height: number } {
  const share = Math.min(1, edgePx / Math.max(video.width, video.height));
  const scale = (edge: number) => Math.max(1, Math.round(edge * share));
  return { width: scale(video.width), height: scale(video.height) };
}

const toJpeg = (canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));

/**
 * Draws frames of a video side by side as one JPEG.
 * @param seek moves the video to a moment, and resolves to whether it got there
 * @returns null if the browser cannot, or not soon enough
 */
export async function drawStrip(
  video: HTMLVideoElement,
  seek: (seconds: number) => Promise<boolean>,
): Promise<ArrayBuffer | null> {
  const moments = getStripMoments(video.duration);
  const { width, height } = getFrameSize({ width: video.videoWidth, height: video.videoHeight });
  const canvas = document.createElement('canvas');
  canvas.width = width * frames;
  canvas.height = height;
  const context = canvas.getContext('2d', { alpha: false });
  if (moments.length === 0 || context === null) return null;
  const startedAt = performance.now();
  for (const [index, moment] of moments.entries()) {
    if (performance.now() - startedAt > MAX_MS || !(await seek(moment))) return null;
    context.drawImage(video, index * width, 0, width, height);
  }
  for (const quality of QUALITIES) {
    const jpeg = await toJpeg(canvas, quality);
    if (jpeg && jpeg.size <= maxBytes) return jpeg.arrayBuffer();
  }
  return null;
}
