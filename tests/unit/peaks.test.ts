import { describe, expect, it } from 'vitest';
import { computePeaks } from '#lib/peaks.ts';

describe('the peaks of a sound', () => {
  it('are as many as asked for, the loudest 1, whichever channel it is on', () => {
    const left = Float32Array.of(0, 0.1, -0.2, 0.1);
    const right = Float32Array.of(0, 0, 0, -0.4);
    expect(computePeaks([left, right], 2)).toEqual([0.25, 1]);
  });

  it('of a sound shorter than the steps repeat samples', () => {
    expect(computePeaks([Float32Array.of(1, 0.5)], 4)).toEqual([1, 1, 0.5, 0.5]);
  });

  it('of silence, and of no sound at all, are all nothing', () => {
    expect(computePeaks([new Float32Array(8)], 3)).toEqual([0, 0, 0]);
    expect(computePeaks([], 3)).toEqual([0, 0, 0]);
  });
});
