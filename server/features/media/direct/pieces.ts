import type { Piece } from '#server/platform/storage/quarantine.ts';
import type { Range } from '../inspect/range.ts';

const MIB = 1024 * 1024;
/** A bucket takes no smaller part, but for the last. */
const LEAST_BYTES = 5 * MIB;
/** A bucket copies up to 5 GiB at once. A smaller piece is copied well within the time that a response may take. */
const MOST_COPIED_BYTES = 256 * MIB;

/** Cuts the bytes from `start` up to `end` into pieces whose sizes differ by a byte at most: none is a small rest. */
function cut(start: number, end: number, count: number, isRewritten: boolean): Piece[] {
  const at = (index: number) => start + Math.floor(((end - start) * index) / count);
  return Array.from({ length: count }, (_, index) => ({ start: at(index), end: at(index + 1), isRewritten }));
}

const copy = (start: number, end: number) => cut(start, end, Math.ceil((end - start) / MOST_COPIED_BYTES), false);
/** The server holds one of these in memory at a time: at most twice the least. */
const rewrite = (start: number, end: number) =>
  cut(start, end, Math.max(1, Math.floor((end - start) / LEAST_BYTES)), true);

/**
 * Plans how a file is put together from the one in the quarantine: as much as possible is copied within the bucket, and the server rewrites
 * the parts with metadata that must go.
 * @param hidden the ranges with metadata, in any order
 */
export function planPieces(sizeBytes: number, hidden: readonly Range[]): Piece[] {
  const pieces: Piece[] = [];
  let done = 0;
  for (const { offset, length } of [...hidden].sort((one, other) => one.offset - other.offset)) {
    const last = Math.min(sizeBytes, offset + length);
    if (last <= done) continue;
    // Too little before it to be copied as a part of its own.
    const start = offset - done < LEAST_BYTES ? done : offset;
    if (start > done) pieces.push(...copy(done, start));
    done = Math.min(sizeBytes, Math.max(last, start + LEAST_BYTES));
    pieces.push(...rewrite(start, done));
  }
  return done < sizeBytes ? [...pieces, ...copy(done, sizeBytes)] : pieces;
}
