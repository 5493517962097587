import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitPicture } from '#lib/fit-picture.ts';

describe('the size of a picture that is made anew', () => {
  it.each([
    [1280, 720, 1280, 720],
    [3840, 2160, 1280, 720],
    [1080, 1920, 720, 1280],
    [1920, 1440, 960, 720],
    [640, 480, 640, 480],
    [1000, 1000, 720, 720],
    [4096, 1716, 1280, 536],
  ])('of %d×%d is %d×%d', (width, height, toWidth, toHeight) => {
    expect(fitPicture(width, height)).toEqual({ width: toWidth, height: toHeight });
  });

  it('is even, in the box, and has the same shape', () => {
    const side = fc.integer({ min: 64, max: 8192 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        fc.pre(Math.max(width, height) / Math.min(width, height) < 10);
        const fit = fitPicture(width, height);
        expect([fit.width % 2, fit.height % 2]).toEqual([0, 0]);
        expect(Math.max(fit.width, fit.height)).toBeLessThanOrEqual(1280);
        expect(Math.min(fit.width, fit.height)).toBeLessThanOrEqual(720);
        expect(Math.abs(fit.width - (fit.height * width) / height)).toBeLessThanOrEqual((2 * width) / height + 2);
      }),
    );
  });
});
