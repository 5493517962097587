import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import { type Positioned, planPositions, moveId } from '#features/media/plan-positions.ts';

/** As a page shows them: without a place first, in the order given (newest first), then by place. */
const shownAs = (items: readonly Positioned[]): Positioned[] =>
  [...items].sort((a, b) => (a.position ?? -Infinity) - (b.position ?? -Infinity) || 0);

const after = (items: readonly Positioned[], changes: readonly Positioned[]) =>
  shownAs(items.map((item) => changes.find(({ id }) => id === item.id) ?? item)).map(({ id }) => id);

const placed = (...positions: (number | null)[]): Positioned[] =>
  positions.map((position, at) => ({ id: `abcdefghij`.charAt(at), position }));

test('one that moves between two with room is the only one that changes', () => {
  expect(planPositions(placed(0, 1024, 2048, 3072), ['a', 'd', 'b', 'c'])).toEqual([{ id: 'd', position: 512 }]);
});

test('with no room between them no more change than have to', () => {
  const items = placed(0, 1, 2, 4096);
  const changes = planPositions(items, ['a', 'd', 'b', 'c']);
  expect(changes.map(({ id }) => id)).toEqual(['b', 'c']);
  expect(after(items, changes)).toEqual(['a', 'd', 'b', 'c']);
});

test('newest first, sent to the end, takes one place', () => {
  expect(planPositions(placed(null, null, null), ['b', 'c', 'a'])).toEqual([{ id: 'a', position: 1000 }]);
});

test('plans no change for an order that is already stored', () => {
  expect(planPositions(placed(null, null, 5, 6), ['a', 'b', 'c', 'd'])).toEqual([]);
});

test('moving keeps to the row', () => {
  expect(moveId(['a', 'b', 'c'], 'a', 9)).toEqual(['b', 'c', 'a']);
  expect(moveId(['a', 'b', 'c'], 'c', -1)).toEqual(['c', 'a', 'b']);
  expect(moveId(['a', 'b', 'c'], 'b', 1)).toEqual(['a', 'b', 'c']);
});

/** A portfolio as it may lie on any device: some without a place, the rest with places near each other or far apart. */
const portfolio = (most: number) =>
  fc
    .record({
      unplaced: fc.integer({ min: 0, max: most }),
      places: fc.uniqueArray(
        fc.oneof(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: LIMITS.mediaPosition })),
        {
          maxLength: most,
        },
      ),
    })
    .chain(({ unplaced, places }) => {
      const positions = [...Array.from({ length: unplaced }, () => null), ...places.sort((a, b) => a - b)];
      const items = positions.map((position, at) => ({ id: `m${at}`, position }));
      const ids = items.map(({ id }) => id);
      return fc.record({
        items: fc.constant(items),
        wanted: fc.shuffledSubarray(ids, { minLength: ids.length }),
      });
    });

test('any order is reached, with whole places that the server takes', () => {
  fc.assert(
    fc.property(portfolio(12), ({ items, wanted }) => {
      const changes = planPositions(items, wanted);
      expect(after(items, changes)).toEqual(wanted);
      for (const { position } of changes) {
        expect(Number.isInteger(position) && position >= 0 && position <= LIMITS.mediaPosition).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

/** Whether leaving just these as they are allows the order at all. */
function isPossible(row: readonly (Positioned & { shown: number })[], stays: (at: number) => boolean): boolean {
  let low = -1;
  let lastUnplaced = -1;
  let isPlacedBefore = false;
  let lowAt = -1;
  for (const [at, { position, shown }] of row.entries()) {
    if (!stays(at)) {
      isPlacedBefore = true;
      continue;
    }
    if (position === null) {
      if (isPlacedBefore || shown < lastUnplaced) return false;
      lastUnplaced = shown;
      lowAt = at;
      continue;
    }
    isPlacedBefore = true;
    if (position - low < at - lowAt) return false;
    [low, lowAt] = [position, at];
  }
  return LIMITS.mediaPosition + 1 - low >= row.length - lowAt;
}

test('no way with fewer changes exists', () => {
  fc.assert(
    fc.property(portfolio(4), ({ items, wanted }) => {
      const shown = new Map(items.map(({ id }, at) => [id, at]));
      const row = wanted.map((id) => ({ ...items.find((item) => item.id === id)!, shown: shown.get(id)! }));
      let most = 0;
      for (let mask = 0; mask < 2 ** row.length; mask += 1) {
        const count = row.filter((_, at) => mask & (1 << at)).length;
        if (count > most && isPossible(row, (at) => (mask & (1 << at)) !== 0)) most = count;
      }
      expect(planPositions(items, wanted)).toHaveLength(row.length - most);
    }),
    { numRuns: 300 },
  );
});
