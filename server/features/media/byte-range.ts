import type { ByteRange } from '#server/platform/storage/storage.ts';

/**
 * What a Range header asks of a file of `sizeBytes`: a range, 'whole' where there is none we serve (several at once, another
 * unit: the whole file is a right answer to those), or 'outside' of the file.
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
