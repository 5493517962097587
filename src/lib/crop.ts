/** Computes which part of a picture a frame of a fixed aspect ratio shows. Lengths are in pixels of the picture. */
export interface Size {
  width: number;
  height: number;
}
export interface Crop {
  /** 1 shows as much of the picture as the frame can hold. */
  zoom: number;
  /** Center of the visible part. */
  x: number;
  y: number;
}
export interface Rect extends Size {
  left: number;
  top: number;
}

/** Width divided by height of a portrait. */
export const PORTRAIT = 4 / 5;
export const MAX_ZOOM = 4;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

/** The size of the visible part: the largest one of the portrait's shape, divided by the zoom. */
function getVisibleSize(size: Size, zoom: number): Size {
  const width = Math.min(size.width, size.height * PORTRAIT) / zoom;
  return { width, height: width / PORTRAIT };
}

/** Limits the zoom to its range and keeps the visible part inside the picture. */
export function clampCrop(crop: Crop, size: Size): Crop {
  const zoom = clamp(crop.zoom, 1, MAX_ZOOM);
  const part = getVisibleSize(size, zoom);
  return {
    zoom,
    x: clamp(crop.x, part.width / 2, size.width - part.width / 2),
    y: clamp(crop.y, part.height / 2, size.height - part.height / 2),
  };
}

/** The crop of a new picture: as much as fits. A tall picture shows its upper part, where faces are. */
export function getInitialCrop(size: Size): Crop {
  return clampCrop({ zoom: 1, x: size.width / 2, y: size.height * 0.4 }, size);
}

export function toRect(crop: Crop, size: Size): Rect {
  const part = getVisibleSize(size, crop.zoom);
  return { ...part, left: crop.x - part.width / 2, top: crop.y - part.height / 2 };
}

/** Moves the picture under the frame, in fractions of the frame: `right` 0.5 reveals half a frame more on the left. */
export function pan(crop: Crop, size: Size, right: number, down: number): Crop {
  const part = getVisibleSize(size, crop.zoom);
  return clampCrop({ ...crop, x: crop.x - right * part.width, y: crop.y - down * part.height }, size);
}

/**
 * Zooms around a point of the frame (in fractions; 0.5 is the middle), which stays in place as far as the edges allow.
 */
export function zoomTo(crop: Crop, size: Size, zoom: number, at = { x: 0.5, y: 0.5 }): Crop {
  const next = clamp(zoom, 1, MAX_ZOOM);
  const before = getVisibleSize(size, crop.zoom);
  const after = getVisibleSize(size, next);
  return clampCrop(
    {
      zoom: next,
      x: crop.x + (at.x - 0.5) * (before.width - after.width),
      y: crop.y + (at.y - 0.5) * (before.height - after.height),
    },
    size,
  );
}
