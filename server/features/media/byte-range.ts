import type { ByteRange } from '#server/platform/storage/byte-range.ts';

/**
 * Parses a Range header for a file of `sizeBytes`: a range, 'outside' if it is not satisfiable, or 'whole' if there is none that the
 * server supports (several ranges or another unit; the whole file is a valid response to those).
 */
export function readRange(header: string | undefined, sizeBytes: number): ByteRange | 'whole' | 'outside' {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const start = Math.max(0, sizeBytes - Number(last));
    return Number(last) === 0 || sizeBytes === 0 ? 'outside' : { start, end: sizeBytes - 1 };
  }
  const range = { start: Number(first), end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
  if (last !== '' && Number(last) < range.start) return 'whole';
  return range.start >= sizeBytes ? 'outside' : range;
}
