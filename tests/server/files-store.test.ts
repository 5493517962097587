import { createHash, randomBytes } from 'node:crypto';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ByteRange } from '#server/platform/storage/byte-range.ts';
import { isFileKey, newFileKey, type Storage } from '#server/platform/storage/storage.ts';
import { openTestStorage, storeKind } from './support/store.ts';

const MIB = 1024 * 1024;
/** A cutoff after every write, whatever the clock of the store says. */
const LATER = new Date(Date.now() + 60 * 60_000);

let storage: Storage;
let close: () => Promise<void>;
beforeEach(async () => {
  ({ storage, close } = await openTestStorage());
});
afterEach(() => close());

async function* chunks(...texts: string[]) {
  for (const each of texts) yield await Promise.resolve(Buffer.from(each));
}
/** Yields chunks whose size divides no part boundary. */
async function* chunksOf(bytes: Buffer, size = 123_457) {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}
async function read(key: string, range?: ByteRange) {
  const stream = await storage.open(key, range);
  return stream === null ? null : buffer(stream);
}
async function keys() {
  const found: string[] = [];
  for await (const { key } of storage.list()) found.push(key);
  return found.sort();
}
const sha256 = (bytes: Uint8Array | null) => bytes && createHash('sha256').update(bytes).digest('hex');

/** Yields `before`, then waits until `release` is called. */
function stallingSource(before: Buffer, after = Buffer.from('the end')) {
  let release = () => {};
  let reachHalf = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const half = new Promise<void>((resolve) => (reachHalf = resolve));
  async function* bytes() {
    yield* chunksOf(before);
    reachHalf();
    await released;
    yield after;
  }
  return { bytes: bytes(), half, release };
}

describe(`store on ${storeKind}`, () => {
  test('works when it is asked whether it does', async () => {
    await expect(storage.check()).resolves.toBeUndefined();
  });

  test('returns what was written, whole and in ranges', async () => {
    const key = newFileKey('jpg');
    expect(await storage.write(key, chunks('Prince ', 'of ', 'Denmark'))).toBe(17);
    expect(String(await read(key))).toBe('Prince of Denmark');
    expect(String(await read(key, { start: 7, end: 8 }))).toBe('of');
    expect(String(await read(key, { start: 10, end: 16 }))).toBe('Denmark');
    expect(String(await read(key, { start: 0, end: 0 }))).toBe('P');
  });

  test.each([0, 1, 5 * MIB - 1, 5 * MIB, 5 * MIB + 1, 10 * MIB, 10 * MIB + 1, 17_000_001])(
    'stores %i bytes unchanged',
    async (sizeBytes) => {
      const [key, bytes] = [newFileKey('mp4'), randomBytes(sizeBytes)];
      expect(await storage.write(key, chunksOf(bytes))).toBe(sizeBytes);
      expect(sha256(await read(key))).toBe(sha256(bytes));
    },
  );

  test('reads ranges across part boundaries', async () => {
    const [key, bytes] = [newFileKey('mp4'), randomBytes(11 * MIB)];
    await storage.write(key, chunksOf(bytes));
    for (const [start, end] of [
      [5 * MIB - 10, 5 * MIB + 10],
      [10 * MIB - 1, 11 * MIB - 1],
      [11 * MIB - 1, 11 * MIB - 1],
      [1, 11 * MIB - 2],
    ] as const) {
      expect(sha256(await read(key, { start, end }))).toBe(sha256(bytes.subarray(start, end + 1)));
    }
  });

  test('accepts one chunk larger than several parts', async () => {
    const [key, bytes] = [newFileKey(), randomBytes(16 * MIB)];
    expect(await storage.write(key, chunksOf(bytes, bytes.length))).toBe(bytes.length);
    expect(sha256(await read(key))).toBe(sha256(bytes));
  });

  test.each([
    ['at the start', 0],
    ['after 9 bytes', 9],
    ['after 12 MiB', 12 * MIB],
  ])('shows and leaves nothing of a write that fails %s', async (_, sizeBytes) => {
    const key = newFileKey();
    async function* broken() {
      yield* chunksOf(randomBytes(sizeBytes));
      throw new Error('the sender went away');
    }
    await expect(storage.write(key, broken())).rejects.toThrow('the sender went away');
    expect(await read(key)).toBeNull();
    expect(await keys()).toEqual([]);
    expect(await storage.clearUnfinished(LATER)).toBe(0);
  });

  test.each([
    ['small', 9],
    ['large', 12 * MIB],
  ])('shows a %s file only after it is complete', async (_, sizeBytes) => {
    const key = newFileKey();
    const { bytes, half, release } = stallingSource(randomBytes(sizeBytes));
    const written = storage.write(key, bytes);
    await half;
    expect(await read(key)).toBeNull();
    expect(await keys()).toEqual([]);
    release();
    expect(await written).toBe(sizeBytes + 7);
    expect(await keys()).toEqual([key]);
  });

  test('clears writes that started long ago and keeps recent ones', async () => {
    const [key, other] = [newFileKey(), newFileKey()];
    const { bytes, half, release } = stallingSource(randomBytes(6 * MIB));
    const written = storage.write(key, bytes).catch((error: unknown) => error);
    await half;
    await storage.write(other, chunks('whole'));
    expect(await storage.clearUnfinished(new Date(Date.now() - 60 * 60_000))).toBe(0);
    expect(await storage.clearUnfinished(LATER)).toBe(1);
    expect(await storage.clearUnfinished(LATER)).toBe(0);
    // A slow writer whose file was cleared fails, and its file does not appear.
    release();
    expect(await written).toBeInstanceOf(Error);
    expect(await keys()).toEqual([other]);
  });

  test('removes a file and accepts a repeated removal', async () => {
    const key = newFileKey();
    await storage.write(key, chunks('x'));
    await storage.remove(key);
    await storage.remove(key);
    expect(await read(key)).toBeNull();
    expect(await keys()).toEqual([]);
  });

  test('lists its files with the time they were stored', async () => {
    const written = Array.from({ length: 10 }, (_, at) => newFileKey(at % 2 ? 'png' : undefined)).sort();
    for (const key of written) await storage.write(key, chunks('x'));
    expect(await keys()).toEqual(written);
    for await (const { storedAt } of storage.list()) {
      expect(Math.abs(storedAt.getTime() - Date.now())).toBeLessThan(60_000);
    }
  });

  test('reads and writes many files concurrently', async () => {
    const files = Array.from({ length: 20 }, () => ({ key: newFileKey(), bytes: randomBytes(200_000) }));
    await Promise.all(files.map(({ key, bytes }) => storage.write(key, chunksOf(bytes))));
    const back = await Promise.all(files.map(({ key }) => read(key)));
    expect(back.map(sha256)).toEqual(files.map(({ bytes }) => sha256(bytes)));
  });

  test('tolerates readers that stop early', async () => {
    const [key, bytes] = [newFileKey(), randomBytes(3 * MIB)];
    await storage.write(key, chunksOf(bytes));
    for (let reader = 0; reader < 20; reader += 1) {
      const stream = await storage.open(key);
      for await (const chunk of stream ?? []) {
        expect((chunk as Buffer).length).toBeGreaterThan(0);
        break;
      }
      (await storage.open(key))?.destroy();
    }
    expect(sha256(await read(key))).toBe(sha256(bytes));
  });

  test.each([
    '../../etc/passwd',
    '..',
    '',
    '/etc/passwd',
    'unfinished/x',
    `${'a'.repeat(32)}/../../x`,
    `${'a'.repeat(32)}\0.jpg`,
    `${'a'.repeat(32)}.jpg\n`,
    `${'A'.repeat(32)}`,
    `${'a'.repeat(31)}.`,
    'C:\\windows\\system32',
  ])('rejects the key %j before it touches the storage', async (key) => {
    expect(isFileKey(key)).toBe(false);
    await expect(storage.open(key)).rejects.toThrow('Not a key');
    await expect(storage.write(key, chunks('x'))).rejects.toThrow('Not a key');
    await expect(storage.remove(key)).rejects.toThrow('Not a key');
  });

  test('returns null for a key that was never written', async () => {
    expect(await storage.open(newFileKey())).toBeNull();
    expect(await storage.open(newFileKey(), { start: 0, end: 9 })).toBeNull();
  });

  test('returns text unchanged', async () => {
    const key = newFileKey('txt');
    await storage.write(key, chunks('Ophélie ', '🎭'));
    const stream = await storage.open(key);
    expect(stream && (await text(stream))).toBe('Ophélie 🎭');
  });
});

test('creates names of 128 random bits', () => {
  const seen = new Set(Array.from({ length: 1000 }, () => newFileKey()));
  expect(seen.size).toBe(1000);
  for (const key of seen) expect(key).toMatch(/^[0-9a-f]{32}$/);
});
