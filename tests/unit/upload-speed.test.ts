import { describe, expect, it } from 'vitest';
import { secondsLeft, withSample } from '#lib/upload-speed.ts';

const MB = 1024 * 1024;

describe('the time an upload has left', () => {
  it('is not guessed from a single moment or a standstill', () => {
    expect(secondsLeft([], MB)).toBeNull();
    expect(secondsLeft([{ at: 0, sentBytes: MB }], 2 * MB)).toBeNull();
    const stuck = [
      { at: 0, sentBytes: MB },
      { at: 5000, sentBytes: MB },
    ];
    expect(secondsLeft(stuck, 2 * MB)).toBeNull();
  });

  it('follows the speed of the last half minute', () => {
    const slowThenFast = [
      { at: 0, sentBytes: 0 },
      { at: 60_000, sentBytes: MB },
      { at: 70_000, sentBytes: 2 * MB },
    ];
    expect(secondsLeft(slowThenFast, 26 * MB)).toBeCloseTo(240);
    expect(secondsLeft(slowThenFast, 2 * MB)).toBe(0);
  });

  it('forgets old samples and takes only moves', () => {
    const samples = [
      { at: 0, sentBytes: 0 },
      { at: 20_000, sentBytes: MB },
    ];
    expect(withSample(samples, { at: 25_000, sentBytes: MB })).toEqual(samples);
    expect(withSample(samples, { at: 40_000, sentBytes: 2 * MB })).toEqual([
      { at: 20_000, sentBytes: MB },
      { at: 40_000, sentBytes: 2 * MB },
    ]);
  });
});
