/**
 * Zoom and position of a picture in its frame. `scale` 1 shows all of it; `x` and `y` are its offset from the center in
 * pixels.
 */
export interface View {
  scale: number;
  x: number;
  y: number;
}
export interface Point {
  x: number;
  y: number;
}
export interface Box {
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const CLOSE = 2.5;
const MAX_SCALE = 6;

/** Limits the scale, and keeps the picture's edges outside the frame. */
function clampView({ scale, x, y }: View, frame: Box): View {
  const inner = Math.min(MAX_SCALE, Math.max(1, scale));
  const [farX, farY] = [((inner - 1) * frame.width) / 2, ((inner - 1) * frame.height) / 2];
  // Adding 0 turns -0 into 0.
  return {
    scale: inner,
    x: Math.min(farX, Math.max(-farX, x)) + 0,
    y: Math.min(farY, Math.max(-farY, y)) + 0,
  };
}

/** Zooms by `factor` around `at` (pixels from the center of the frame), which stays in place. */
export function zoomAround(view: View, factor: number, at: Point, frame: Box): View {
  const scale = Math.min(MAX_SCALE, Math.max(1, view.scale * factor));
  const by = scale / view.scale;
  return clampView({ scale, x: at.x - (at.x - view.x) * by, y: at.y - (at.y - view.y) * by }, frame);
}

/** Moves the picture by `by`, in pixels. */
export function pan(view: View, by: Point, frame: Box): View {
  return clampView({ scale: view.scale, x: view.x + by.x, y: view.y + by.y }, frame);
}
