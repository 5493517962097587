import { Dexie } from 'dexie';
import { IDBDatabase, IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { fileBytes } from '#db/media-bytes.ts';
import { importFile } from '#sync/files/import.ts';
import { CHUNK_BYTES } from '#sync/files/upload.ts';
import type { Ports } from '#sync/ports.ts';
import { openDigest } from '../support/digest.ts';

let db: AccountDb;
/** Called after each committed transaction that writes. */
const onCommit = vi.fn();
const ports = {
  clock: { now: () => 0 },
  chance: { uuid: () => 'f1' },
  openDigest,
} as unknown as Ports;

beforeEach(async () => {
  const { transaction: begin } = IDBDatabase.prototype;
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...given) {
    const transaction = begin.apply(this, given);
    if (given[1] === 'readwrite') transaction.addEventListener('complete', onCommit);
    return transaction;
  });
  db = new AccountDb('test', 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  await db.open();
  onCommit.mockClear();
});
afterEach(() => vi.restoreAllMocks());

const fileOf = (bytes: Uint8Array, size = bytes.length) => ({
  name: 'still.jpg',
  type: 'image/jpeg',
  size,
  slice: (start: number, end: number) => ({
    arrayBuffer: () => Promise.resolve(new Uint8Array(bytes.subarray(start, end)).buffer),
  }),
});

it.each([0, 1, CHUNK_BYTES, 5 * CHUNK_BYTES + 1])('stores a photo of %i bytes in one transaction', async (size) => {
  const bytes = randomBytes(size);
  const { id, sha256 } = await importFile(db, ports, fileOf(bytes));
  expect(onCommit).toHaveBeenCalledTimes(1);
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(await db.media.get(id)).toMatchObject({ state: 'ready', size, sha256 });
  const chunks = await db.chunks.where('[media+n]').between([id, 0], [id, Infinity]).toArray();
  expect(chunks.slice(0, -1).every((chunk) => chunk.bytes.byteLength === CHUNK_BYTES)).toBe(true);
  expect(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk.bytes))).equals(bytes)).toBe(true);
});

it('makes a long film ready only in the transaction of its last bytes', async () => {
  const transactions = new Map<unknown, { state?: string; chunks?: number }>();
  const note = (change: { state?: string; chunks?: number }) => {
    const current: unknown = Dexie.currentTransaction;
    transactions.set(current, { ...transactions.get(current), ...change });
  };
  const { put } = db.media;
  vi.spyOn(db.media, 'put').mockImplementation((row) => {
    note({ state: row.state });
    return Reflect.apply(put, db.media, [row]) as ReturnType<typeof put>;
  });
  const { bulkPut } = db.chunks;
  vi.spyOn(db.chunks, 'bulkPut').mockImplementation((...given: Parameters<typeof bulkPut>) => {
    note({ chunks: given[0].length });
    return Reflect.apply(bulkPut, db.chunks, given) as ReturnType<typeof bulkPut>;
  });
  const onProgress = vi.fn();
  await importFile(db, ports, fileOf(randomBytes(20 * CHUNK_BYTES)), { onProgress });
  expect([...transactions.values()]).toEqual([
    { state: 'importing', chunks: 8 },
    { state: 'importing', chunks: 8 },
    { state: 'ready', chunks: 4 },
  ]);
  expect(onProgress.mock.calls.flat()).toEqual([8, 16, 20].map((chunks) => chunks * CHUNK_BYTES));
});

it('keeps nothing of a film for whose last bytes the disk is full', async () => {
  const { bulkPut } = db.chunks;
  vi.spyOn(db.chunks, 'bulkPut').mockImplementation((...given: Parameters<typeof bulkPut>) => {
    if (onCommit.mock.calls.length > 0) throw new DOMException('No room', 'QuotaExceededError');
    return Reflect.apply(bulkPut, db.chunks, given) as ReturnType<typeof bulkPut>;
  });
  await expect(importFile(db, ports, fileOf(randomBytes(9 * CHUNK_BYTES)))).rejects.toMatchObject({ reason: 'full' });
  expect(await db.media.count()).toBe(0);
  expect(await db.chunks.count()).toBe(0);
});

it('reads a film part by part, and gives each part back before the next', async () => {
  const bytes = randomBytes(17 * CHUNK_BYTES + 5);
  let most = 0;
  const film = {
    ...fileOf(bytes),
    slice(start: number, end: number) {
      most = Math.max(most, end - start);
      return fileOf(bytes).slice(start, end);
    },
  };
  const { id, sha256 } = await importFile(db, ports, film);
  expect(most).toBe(8 * CHUNK_BYTES);
  expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  const stored = await fileBytes(db, (await db.media.get(id))!);
  expect(Buffer.from(await stored!.arrayBuffer()).equals(bytes)).toBe(true);
});

it('copies nothing of a film that does not fit, and says what is missing', async () => {
  const MB = 1024 * 1024;
  const dropCaches = vi.fn(() => Promise.resolve());
  const crowded = { ...ports, freeBytes: () => Promise.resolve(60 * MB), dropCaches };
  const slice = vi.fn();
  const film = { name: 'tape.mp4', type: 'video/mp4', size: 300 * MB, slice };
  await expect(importFile(db, crowded, film)).rejects.toMatchObject({
    reason: 'full',
    room: { neededBytes: 300 * MB, freeBytes: 10 * MB },
  });
  expect(dropCaches).toHaveBeenCalledTimes(1);
  expect(slice).not.toHaveBeenCalled();
  expect(await db.media.count()).toBe(0);
});

it('copies a film for which there is room without the cached media of others', async () => {
  let free = 10 * CHUNK_BYTES;
  const dropCaches = () => Promise.resolve(void (free = 100 * CHUNK_BYTES));
  const crowded = { ...ports, freeBytes: () => Promise.resolve(free), dropCaches };
  expect(await importFile(db, crowded, fileOf(randomBytes(9 * CHUNK_BYTES)))).toMatchObject({ state: 'ready' });
});

it('keeps nothing of a film that is removed while it is copied', async () => {
  const control = new AbortController();
  const onProgress = () => control.abort();
  const film = fileOf(randomBytes(20 * CHUNK_BYTES));
  await expect(importFile(db, ports, film, { onProgress, signal: control.signal })).rejects.toThrow(/abort/i);
  expect(onCommit.mock.calls.length).toBe(2);
  expect(await db.media.count()).toBe(0);
  expect(await db.chunks.count()).toBe(0);
});

it('does not store a film as whole whose beginning was tidied away while it was copied', async () => {
  let removed: Promise<unknown> | undefined;
  // As when the clock jumps: the copy then looks like an abandoned one.
  const onProgress = () => {
    removed ??= Promise.all([db.media.clear(), db.chunks.clear()]);
  };
  const film = fileOf(randomBytes(40 * CHUNK_BYTES));
  await expect(importFile(db, ports, film, { onProgress })).rejects.toThrow('Choose it again');
  expect([await db.media.count(), await db.chunks.count()]).toEqual([0, 0]);
});

it('refuses a file that became shorter while it was read', async () => {
  await expect(importFile(db, ports, fileOf(randomBytes(10), 11))).rejects.toThrow('The file changed');
  expect(await db.media.count()).toBe(0);
});
