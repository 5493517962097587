import { describe, expect, it } from 'vitest';
import { getFrameAt, getNextFrame } from '#shared/casting/use-strip.ts';
import { getFrameSize, getStripMoments } from '#shared/picked-files/draw-strip.ts';

describe('the frames of a strip', () => {
  it('are spread evenly over the take, none of them at its very beginning or end', () => {
    expect(getStripMoments(120)).toEqual([10, 30, 50, 70, 90, 110]);
    expect(getStripMoments(0.6).map((moment) => moment.toFixed(2))).toEqual([
      '0.05',
      '0.15',
      '0.25',
      '0.35',
      '0.45',
      '0.55',
    ]);
  });

  it.each([0, Infinity, Number.NaN, -1])('are none for a length of %s', (duration) => {
    expect(getStripMoments(duration)).toEqual([]);
  });

  it.each([
    [
      [1920, 1080],
      [160, 90],
    ],
    [
      [1080, 1920],
      [90, 160],
    ],
    [
      [720, 720],
      [160, 160],
    ],
    [
      [100, 60],
      [100, 60],
    ],
    [
      [4000, 2],
      [160, 1],
    ],
  ])('have the shape of the video: %j becomes %j', ([width, height], [smallWidth, smallHeight]) => {
    expect(getFrameSize({ width: width!, height: height! })).toEqual({ width: smallWidth, height: smallHeight });
  });
});

describe('choosing a frame', () => {
  it.each([
    [-0.1, 0],
    [0, 0],
    [0.17, 1],
    [0.5, 3],
    [0.99, 5],
    [1, 5],
    [1.4, 5],
  ])('at %s of the width of a tile shows %i', (place, frame) => {
    expect(getFrameAt(place)).toBe(frame);
  });

  it.each([
    [null, 1, 0],
    [null, -1, 5],
    [0, 1, 1],
    [0, -1, 0],
    [5, 1, 5],
    [5, -1, 4],
  ] as const)('an arrow key goes from %s by %i to %i', (frame, step, next) => {
    expect(getNextFrame(frame, step)).toBe(next);
  });
});
