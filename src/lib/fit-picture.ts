/** The longer and the shorter side of the pictures of a finished video, in pixels. */
const BOX = { long: 1280, short: 720 } as const;

/**
 * The size that pictures get: as they are, or as large as fits into 1280×720 lying, 720×1280 upright. Never with bars, and in even
 * numbers, which H.264 needs.
 */
export function fitPicture(width: number, height: number): { width: number; height: number } {
  const scale = Math.min(1, BOX.long / Math.max(width, height), BOX.short / Math.min(width, height));
  const toEven = (length: number) => Math.max(2, Math.round((length * scale) / 2) * 2);
  return { width: toEven(width), height: toEven(height) };
}
