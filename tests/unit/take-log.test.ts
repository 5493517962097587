import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { crc32 } from '#lib/crc32.ts';
import {
  cutToWholeSlices,
  decodeEntries,
  encodeEntry,
  ENTRY_BYTES,
  ShortWriteError,
  startTakeLog,
  type SyncFile,
} from '#lib/take-log.ts';
import { quantity } from '../support/quantity.ts';

/** A file in memory. @param room bytes that fit into it */
class MemoryFile implements SyncFile {
  bytes = new Uint8Array(0);
  readonly room: number;
  constructor(room = Infinity) {
    this.room = room;
  }
  read(buffer: Uint8Array, { at }: { at: number }): number {
    const part = this.bytes.subarray(at, at + buffer.byteLength);
    buffer.set(part);
    return part.byteLength;
  }
  write(buffer: Uint8Array, { at }: { at: number }): number {
    const fits = Math.min(buffer.byteLength, this.room - at);
    const longer = new Uint8Array(Math.max(this.bytes.byteLength, at + fits));
    longer.set(this.bytes);
    longer.set(buffer.subarray(0, fits), at);
    this.bytes = longer;
    return fits;
  }
  truncate(size: number): void {
    this.bytes = this.bytes.slice(0, size);
  }
  getSize(): number {
    return this.bytes.byteLength;
  }
  flush(): void {}
}

const slice = (n: number, length: number) => Uint8Array.from({ length }, (_, at) => (n * 31 + at * 7) & 0xff);

/** Records slices of these lengths, one per second. */
function record(lengths: readonly number[]) {
  const files = { raw: new MemoryFile(), index: new MemoryFile() };
  const append = startTakeLog(files);
  lengths.forEach((length, n) => append(slice(n, length), (n + 1) * 1000));
  return files;
}

it('computes the CRC-32 of ZIP', () => {
  expect(crc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  expect(crc32(new Uint8Array(0))).toBe(0);
});

describe('the index of a take', () => {
  it('has twelve bytes for each slice, which are read back', () => {
    const entry = { length: 4_294_967_295, crc: 0xcbf43926, endMs: 3_600_000 };
    expect(encodeEntry(entry)).toHaveLength(ENTRY_BYTES);
    expect(decodeEntries(encodeEntry(entry))).toEqual([entry]);
  });

  it('passes over a last entry that was cut off', () => {
    const { index } = record([10, 20]);
    expect(decodeEntries(index.bytes.subarray(0, ENTRY_BYTES * 2 - 1)).map(({ length }) => length)).toEqual([10]);
  });
});

describe('recording a take', () => {
  it('says after each slice how much is safe', () => {
    const append = startTakeLog({ raw: new MemoryFile(), index: new MemoryFile() });
    expect(append(slice(0, 1226), 1004)).toEqual({ slices: 1, bytes: 1226, endMs: 1004 });
    expect(append(slice(1, 70_000), 2010)).toEqual({ slices: 2, bytes: 71_226, endMs: 2010 });
  });

  it.each([
    ['the disk takes only in part', { raw: new MemoryFile(100), index: new MemoryFile() }],
    ['has an entry that does not fit', { raw: new MemoryFile(), index: new MemoryFile(ENTRY_BYTES + 5) }],
  ])('refuses a slice that %s, and leaves only those before in the files', (_, files) => {
    const append = startTakeLog(files);
    append(slice(0, 80), 1000);
    expect(() => append(slice(1, 80), 2000)).toThrow(ShortWriteError);
    // The take is sealed with these lengths, and read without another look at its index.
    expect(files.raw.bytes).toEqual(slice(0, 80));
    expect(files.index.getSize()).toBe(ENTRY_BYTES);
    expect(cutToWholeSlices(files)).toEqual({ slices: 1, bytes: 80, endMs: 1000 });
  });

  it('says why a slice was refused, also where the files cannot be cut back', () => {
    vi.spyOn(console, 'warn').mockReturnValue();
    const raw = new MemoryFile(100);
    const append = startTakeLog({ raw, index: new MemoryFile() });
    append(slice(0, 80), 1000);
    raw.truncate = () => {
      throw new DOMException('The file is gone', 'InvalidStateError');
    };
    expect(() => append(slice(1, 80), 2000)).toThrow(ShortWriteError);
  });
});

describe('recovering a take', () => {
  it('leaves a whole take as it is', () => {
    const files = record([10, 20, 30]);
    const before = files.raw.bytes.slice();
    expect(cutToWholeSlices(files)).toEqual({ slices: 3, bytes: 60, endMs: 3000 });
    expect(files.raw.bytes).toEqual(before);
  });

  it('finds nothing in empty files', () => {
    expect(cutToWholeSlices(record([]))).toEqual({ slices: 0, bytes: 0, endMs: 0 });
  });

  it('drops a last slice whose bytes never reached the disk, although its entry did', () => {
    const files = record([10, 20, 30]);
    files.raw.bytes.fill(0, 30);
    expect(cutToWholeSlices(files)).toEqual({ slices: 2, bytes: 30, endMs: 2000 });
    expect(files.raw.getSize()).toBe(30);
    expect(files.index.getSize()).toBe(2 * ENTRY_BYTES);
  });

  it('keeps everything behind one damaged second', () => {
    const files = record([10, 20, 30]);
    files.raw.bytes[15]! ^= 0xff;
    expect(cutToWholeSlices(files)).toMatchObject({ slices: 3, bytes: 60 });
  });

  it('always keeps the longest beginning that is whole in both files', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lengths, fc.nat(500), fc.nat(150), (recorded, rawCut, indexCut) => {
        const files = record(recorded);
        const whole = files.raw.bytes.slice();
        files.raw.truncate(rawCut);
        files.index.truncate(indexCut);
        const sums = recorded.map((_, n) => recorded.slice(0, n + 1).reduce((a, b) => a + b, 0));
        const slices = Math.min(
          Math.floor(indexCut / ENTRY_BYTES),
          sums.filter((sum) => sum <= rawCut).length,
          recorded.length,
        );
        const bytes = slices === 0 ? 0 : sums[slices - 1]!;
        expect(cutToWholeSlices(files)).toEqual({ slices, bytes, endMs: slices * 1000 });
        expect(files.raw.bytes).toEqual(whole.slice(0, bytes));
        // A second start finds the same.
        expect(cutToWholeSlices(files)).toEqual({ slices, bytes, endMs: slices * 1000 });
      }),
      { numRuns: quantity(200, 5000) },
    );
  });
});
