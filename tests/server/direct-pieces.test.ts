import { expect, test } from 'vitest';
import { planPieces } from '#server/features/media/direct/pieces.ts';

const MIB = 1024 * 1024;
const LEAST = 5 * MIB;
const MOST_COPIED = 256 * MIB;
/** Sizes around the multiples of a size. */
const around = (size: number) => [1, 2, 3, 4, 7].flatMap((n) => [-2, -1, 0, 1, 2].map((more) => n * size + more));

const sizesOf = (pieces: ReturnType<typeof planPieces>) => pieces.map(({ start, end }) => end - start);

test.each(around(LEAST))('rewritten bytes (%i) become no piece that a bucket refuses', (length) => {
  // More of the file follows, so none of these pieces is the last.
  const rewritten = planPieces(length + 10 * MIB, [{ offset: 0, length }]).filter(({ isRewritten }) => isRewritten);
  expect(Math.min(...sizesOf(rewritten))).toBeGreaterThanOrEqual(LEAST);
  expect(Math.max(...sizesOf(rewritten))).toBeLessThan(2 * LEAST);
});

test.each(around(MOST_COPIED))('copied bytes (%i) become no piece that takes long', (length) => {
  const copied = planPieces(length, []);
  expect(Math.max(...sizesOf(copied))).toBeLessThanOrEqual(MOST_COPIED);
});

test.each([...around(LEAST), ...around(MOST_COPIED)])(
  'the pieces of %i bytes follow each other to the end',
  (length) => {
    const sizeBytes = length + 20 * MIB;
    const pieces = planPieces(sizeBytes, [{ offset: 10 * MIB, length }]);
    expect(pieces.map(({ start }) => start)).toEqual([0, ...pieces.slice(0, -1).map(({ end }) => end)]);
    expect(pieces.at(-1)?.end).toBe(sizeBytes);
  },
);
