import { describe, expect, it } from 'vitest';
import { moveHandle, nearestHandle, typedValue, valueAfterKey, type SpanLimits } from '#lib/span.ts';

const limits: SpanLimits = { min: 0, max: 100, gap: 6 };

describe('playing age slider', () => {
  it('stops the moving handle 6 short of the other, which stays', () => {
    expect(moveHandle({ low: 26, high: 34 }, 'low', 40, limits)).toEqual({ low: 28, high: 34 });
    expect(moveHandle({ low: 26, high: 34 }, 'high', 10, limits)).toEqual({ low: 26, high: 32 });
  });

  it('keeps to 0 and 100 and to whole years', () => {
    expect(moveHandle({ low: 10, high: 50 }, 'low', -3, limits)).toEqual({ low: 0, high: 50 });
    expect(moveHandle({ low: 10, high: 50 }, 'high', 180, limits)).toEqual({ low: 10, high: 100 });
    expect(moveHandle({ low: 10, high: 50 }, 'high', 42.4, limits)).toEqual({ low: 10, high: 42 });
  });

  it('never moves past an end for a pair stored closer than the gap', () => {
    expect(moveHandle({ low: 2, high: 4 }, 'low', 3, limits)).toEqual({ low: 0, high: 4 });
    expect(moveHandle({ low: 97, high: 99 }, 'high', 98, limits)).toEqual({ low: 97, high: 100 });
  });

  it('moves 1 by arrow, 5 by page and to the reachable ends', () => {
    const span = { low: 26, high: 34 };
    expect(valueAfterKey('ArrowUp', span, 'low', limits)).toBe(27);
    expect(valueAfterKey('ArrowLeft', span, 'high', limits)).toBe(33);
    expect(valueAfterKey('PageDown', span, 'low', limits)).toBe(21);
    expect(valueAfterKey('End', span, 'low', limits)).toBe(28);
    expect(valueAfterKey('Home', span, 'high', limits)).toBe(32);
    expect(valueAfterKey('a', span, 'low', limits)).toBeNull();
  });

  it('lets a tap take the nearer handle, and the one on its side of two that stand equally near', () => {
    expect(nearestHandle({ low: 20, high: 40 }, 24)).toBe('low');
    expect(nearestHandle({ low: 20, high: 40 }, 39)).toBe('high');
    expect(nearestHandle({ low: 30, high: 30 }, 29)).toBe('low');
    expect(nearestHandle({ low: 30, high: 30 }, 31)).toBe('high');
  });

  it('takes a typed number only once the handle may stand there', () => {
    const span = { low: 26, high: 34 };
    expect(typedValue('2', span, 'high', limits)).toBeNull();
    expect(typedValue('42', span, 'high', limits)).toBe(42);
    expect(typedValue('30', span, 'low', limits)).toBeNull();
    expect(typedValue('', span, 'low', limits)).toBeNull();
    expect(typedValue('1e1', span, 'low', limits)).toBeNull();
  });
});
