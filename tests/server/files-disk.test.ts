import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diskStorage } from '#server/platform/storage/disk.ts';
import { newFileKey, type Storage } from '#server/platform/storage/storage.ts';

// files-store.test.ts covers what all stores have in common. These tests cover failures specific to disks.
let root: string;
let storage: Storage;

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'files-disk-'));
  storage = await diskStorage(path.join(root, 'files'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('leaves no file after a failed write', async () => {
  async function* broken() {
    yield Buffer.from('half a ph');
    await Promise.resolve();
    throw new Error('the sender went away');
  }
  await expect(storage.write(newFileKey(), broken())).rejects.toThrow('the sender went away');
  expect(await readdir(path.join(root, 'files', 'unfinished'))).toEqual([]);
});

test('lists only its own files', async () => {
  await writeFile(path.join(root, 'files', 'notes.txt'), 'not ours');
  await mkdir(path.join(root, 'files', 'ab'));
  await writeFile(path.join(root, 'files', 'ab', 'notes.txt'), 'not ours');
  const found: string[] = [];
  for await (const { key } of storage.list()) found.push(key);
  expect(found).toEqual([]);
});

test('clears old unfinished files of a killed server and keeps recent ones', async () => {
  const folder = path.join(root, 'files', 'unfinished');
  await writeFile(path.join(folder, 'old'), 'x');
  await writeFile(path.join(folder, 'young'), 'x');
  await utimes(path.join(folder, 'old'), new Date('2020-01-01'), new Date('2020-01-01'));
  expect(await storage.clearUnfinished(new Date('2021-01-01'))).toBe(1);
  expect(await readdir(folder)).toEqual(['young']);
});

test('does not follow a symlink out of the store', async () => {
  const key = newFileKey();
  const outside = path.join(root, 'secret');
  await writeFile(outside, 'secret');
  await mkdir(path.join(root, 'files', key.slice(0, 2)), { recursive: true });
  await symlink(outside, path.join(root, 'files', key.slice(0, 2), key));
  expect(await storage.open(key)).toBeNull();
});
