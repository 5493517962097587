/** Which part of a picture stands in a frame of a fixed shape. Lengths are the picture's own pixels. */
export interface Size {
  width: number;
  height: number;
}
export interface Crop {
  /** 1: as much of the picture as the frame can hold. */
  zoom: number;
  /** The middle of the part. */
  x: number;
  y: number;
}
export interface Rect extends Size {
  left: number;
  top: number;
}

/** Width over height of a portrait. */
export const PORTRAIT = 4 / 5;
export const MAX_ZOOM = 4;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

/** The largest part of that shape, divided by the zoom. */
function getVisibleSize(size: Size, zoom: number): Size {
  const width = Math.min(size.width, size.height * PORTRAIT) / zoom;
  return { width, height: width / PORTRAIT };
}

/** Within the picture and the zoom there is. */
export function clampCrop(crop: Crop, size: Size): Crop {
  const zoom = clamp(crop.zoom, 1, MAX_ZOOM);
  const part = getVisibleSize(size, zoom);
  return {
    zoom,
    x: clamp(crop.x, part.width / 2, size.width - part.width / 2),
    y: clamp(crop.y, part.height / 2, size.height - part.height / 2),
  };
}

/** Where a new picture starts: as much as fits; of a tall one the upper part, where faces are. */
export function getInitialCrop(size: Size): Crop {
  return clampCrop({ zoom: 1, x: size.width / 2, y: size.height * 0.4 }, size);
}

export function toRect(crop: Crop, size: Size): Rect {
  const part = getVisibleSize(size, crop.zoom);
  return { ...part, left: crop.x - part.width / 2, top: crop.y - part.height / 2 };
}

/** Moves the picture under the frame, in shares of the frame: 0.5 to the right shows what stood half a frame to the left. */
export function pan(crop: Crop, size: Size, right: number, down: number): Crop {
  const part = getVisibleSize(size, crop.zoom);
  return clampCrop({ ...crop, x: crop.x - right * part.width, y: crop.y - down * part.height }, size);
}

/** Zooms about a point of the frame (shares, 0.5 its middle): what lies under it stays under it, as far as the edges let it. */
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
