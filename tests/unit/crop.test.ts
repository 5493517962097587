import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clampCrop, getInitialCrop, MAX_ZOOM, pan, PORTRAIT, toRect, zoomTo } from '#lib/crop.ts';

const size = fc.record({ width: fc.integer({ min: 1, max: 9000 }), height: fc.integer({ min: 1, max: 9000 }) });
const share = fc.double({ min: -3, max: 3, noNaN: true });
const zoom = fc.double({ min: -1, max: 9, noNaN: true });
const point = fc.record({
  x: fc.double({ min: 0, max: 1, noNaN: true }),
  y: fc.double({ min: 0, max: 1, noNaN: true }),
});

describe('the crop of a portrait', () => {
  it('starts with as much as fits, of a tall picture the upper part', () => {
    expect(toRect(getInitialCrop({ width: 400, height: 500 }), { width: 400, height: 500 })).toEqual({
      left: 0,
      top: 0,
      width: 400,
      height: 500,
    });
    const tall = { width: 400, height: 1000 };
    expect(toRect(getInitialCrop(tall), tall)).toEqual({ left: 0, top: 150, width: 400, height: 500 });
    const wide = { width: 1000, height: 500 };
    expect(toRect(getInitialCrop(wide), wide)).toEqual({ left: 300, top: 0, width: 400, height: 500 });
  });

  it('never leaves the picture nor its shape, whatever is moved and zoomed', () => {
    fc.assert(
      fc.property(size, fc.array(fc.tuple(share, share, zoom, point), { maxLength: 12 }), (picture, moves) => {
        let crop = getInitialCrop(picture);
        for (const [right, down, to, at] of moves) {
          crop = zoomTo(pan(crop, picture, right, down), picture, to, at);
          const rect = toRect(crop, picture);
          const slack = 1e-6 * Math.max(picture.width, picture.height);
          expect(rect.left).toBeGreaterThanOrEqual(-slack);
          expect(rect.top).toBeGreaterThanOrEqual(-slack);
          expect(rect.left + rect.width).toBeLessThanOrEqual(picture.width + slack);
          expect(rect.top + rect.height).toBeLessThanOrEqual(picture.height + slack);
          expect(rect.width / rect.height).toBeCloseTo(PORTRAIT, 6);
          expect(crop.zoom).toBeGreaterThanOrEqual(1);
          expect(crop.zoom).toBeLessThanOrEqual(MAX_ZOOM);
        }
      }),
    );
  });

  it('keeps what lies under the fingers while zooming, away from the edges', () => {
    const picture = { width: 800, height: 1000 };
    const before = clampCrop({ zoom: 2, x: 400, y: 500 }, picture);
    const at = { x: 0.25, y: 0.75 };
    const under = (crop: typeof before) => {
      const rect = toRect(crop, picture);
      return [rect.left + at.x * rect.width, rect.top + at.y * rect.height];
    };
    expect(under(zoomTo(before, picture, 3, at))).toEqual(under(before));
  });

  it('moves with the hand', () => {
    const picture = { width: 800, height: 1000 };
    const crop = clampCrop({ zoom: 2, x: 400, y: 500 }, picture);
    expect(pan(crop, picture, 0.1, 0)).toEqual({ zoom: 2, x: 360, y: 500 });
    expect(pan(crop, picture, 0, -0.1)).toEqual({ zoom: 2, x: 400, y: 550 });
  });
});
