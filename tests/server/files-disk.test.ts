import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskStorage } from '#server/storage/disk.ts';
import { isFileKey, newFileKey, type Storage } from '#server/storage/storage.ts';

let root: string;
let storage: Storage;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'files-disk-'));
  storage = await diskStorage(path.join(root, 'files'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function* chunks(...texts: string[]) {
  for (const each of texts) yield await Promise.resolve(Buffer.from(each));
}
async function readBack(key: string, range?: { start: number; end: number }) {
  const stream = await storage.open(key, range);
  return stream === null ? null : text(stream);
}
async function keys() {
  const found: string[] = [];
  for await (const { key } of storage.list()) found.push(key);
  return found.sort();
}

test('gives back what was written, whole and in ranges', async () => {
  const key = newFileKey('jpg');
  expect(await storage.write(key, chunks('Prince ', 'of ', 'Denmark'))).toBe(17);
  expect(await readBack(key)).toBe('Prince of Denmark');
  expect(await readBack(key, { start: 7, end: 8 })).toBe('of');
  expect(await readBack(key, { start: 10, end: 16 })).toBe('Denmark');
});

test('names are 128 random bits and nothing else', () => {
  const seen = new Set(Array.from({ length: 1000 }, () => newFileKey()));
  expect(seen.size).toBe(1000);
  for (const key of seen) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

test('shows nothing of a write that broke, and leaves nothing behind', async () => {
  const key = newFileKey();
  async function* broken() {
    yield Buffer.from('half a ph');
    await Promise.resolve();
    throw new Error('the sender went away');
  }
  await expect(storage.write(key, broken())).rejects.toThrow('the sender went away');
  expect(await readBack(key)).toBeNull();
  expect(await keys()).toEqual([]);
  expect(await readdir(path.join(root, 'files', 'unfinished'))).toEqual([]);
});

test('removes once and is content the second time', async () => {
  const key = newFileKey();
  await storage.write(key, chunks('x'));
  await storage.remove(key);
  await storage.remove(key);
  expect(await readBack(key)).toBeNull();
});

test('lists what lies in it', async () => {
  const written = [newFileKey(), newFileKey('png'), newFileKey('webp')].sort();
  for (const key of written) await storage.write(key, chunks('x'));
  await writeFile(path.join(root, 'files', 'notes.txt'), 'not ours');
  expect(await keys()).toEqual(written);
});

test('clears what a killed server left unfinished, and nothing younger', async () => {
  const folder = path.join(root, 'files', 'unfinished');
  await writeFile(path.join(folder, 'old'), 'x');
  await writeFile(path.join(folder, 'young'), 'x');
  await utimes(path.join(folder, 'old'), new Date('2020-01-01'), new Date('2020-01-01'));
  expect(await storage.clearUnfinished(new Date('2021-01-01'))).toBe(1);
  expect(await readdir(folder)).toEqual(['young']);
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
])('refuses the key %j before it reaches the disk', async (key) => {
  expect(isFileKey(key)).toBe(false);
  await expect(storage.open(key)).rejects.toThrow('Not a key');
  await expect(storage.write(key, chunks('x'))).rejects.toThrow('Not a key');
  await expect(storage.remove(key)).rejects.toThrow('Not a key');
});

test('follows no link out of the store', async () => {
  const key = newFileKey();
  const outside = path.join(root, 'secret');
  await writeFile(outside, 'secret');
  await mkdir(path.join(root, 'files', key.slice(0, 2)), { recursive: true });
  await symlink(outside, path.join(root, 'files', key.slice(0, 2), key));
  expect(await readBack(key)).toBeNull();
});
