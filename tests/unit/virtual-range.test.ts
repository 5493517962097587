import { describe, expect, it } from 'vitest';
import { stepRange, type IndexRange } from '#features/media/virtual-range.ts';

/** Rows of three: what is seen, and one row before and after it. */
const aimAt = (from: number, to: number) => ({
  seen: { from, to },
  wanted: { from: Math.max(0, from - 3), to: to + 3 },
});

describe('what is drawn of a long gallery', () => {
  it('follows a page that scrolls one tile at a time, and always has what is seen', () => {
    let drawn: IndexRange = { from: 0, to: 18 };
    const changes: number[] = [];
    for (let row = 0; row < 30; row += 1) {
      const aim = aimAt(row * 3, row * 3 + 15);
      for (let frame = 0; frame < 4; frame += 1) {
        const next = stepRange(drawn, aim);
        changes.push(next.to - drawn.to);
        drawn = next;
        expect(drawn.from).toBeLessThanOrEqual(aim.seen.from);
        expect(drawn.to).toBeGreaterThanOrEqual(aim.seen.to);
      }
    }
    expect(Math.max(...changes)).toBe(1);
  });

  it('comes to rest at what is near', () => {
    const aim = aimAt(30, 45);
    let drawn: IndexRange = { from: 0, to: 42 };
    for (let frame = 0; frame < 40; frame += 1) drawn = stepRange(drawn, aim);
    expect(drawn).toEqual(aim.wanted);
  });

  it('draws what comes near before it is seen, also where nothing was drawn', () => {
    const below = { seen: { from: 0, to: 0 }, wanted: { from: 0, to: 9 } };
    expect(stepRange({ from: 0, to: 0 }, below)).toEqual({ from: 0, to: 2 });
    const above = { seen: { from: 90, to: 90 }, wanted: { from: 81, to: 90 } };
    expect(stepRange({ from: 90, to: 90 }, above)).toEqual({ from: 88, to: 90 });
  });

  it('draws what is seen first after a leap, and nothing on the way', () => {
    expect(stepRange({ from: 0, to: 18 }, aimAt(300, 315))).toEqual({ from: 300, to: 315 });
    expect(stepRange({ from: 300, to: 318 }, aimAt(0, 15))).toEqual({ from: 0, to: 15 });
  });
});
