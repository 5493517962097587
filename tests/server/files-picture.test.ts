import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { prepareAvatar, preparePhoto } from '#server/features/media/picture.ts';
import * as pictures from './support/pictures.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'files-picture-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function writeTempFile(bytes: Uint8Array) {
  const file = path.join(folder, 'picked');
  await writeFile(file, bytes);
  return file;
}

test('removes GPS and all other metadata of a photo and applies its orientation', async () => {
  const bytes = await pictures.photoWithGps();
  expect((await sharp(bytes).metadata()).exif?.includes('GPS-secret')).toBe(true);
  expect((await sharp(bytes).metadata()).orientation).toBe(6);

  const { photo, copies } = await preparePhoto(await writeTempFile(bytes), folder);
  // The server has AVIF decoding blocked. This test unblocks it to read the renditions.
  sharp.unblock({ operation: ['VipsForeignLoadHeif'] });
  for (const each of [photo, ...copies]) {
    const metadata = await sharp(await readFile(each.file)).metadata();
    expect([metadata.exif, metadata.xmp, metadata.iptc, metadata.icc, metadata.orientation]).toEqual(
      Array(5).fill(undefined),
    );
    expect((await readFile(each.file)).includes('GPS-secret')).toBe(false);
  }
  // A 600 × 400 image with orientation 6 becomes 400 × 600 with its red left edge on top.
  expect([photo.width, photo.height, photo.type]).toEqual([400, 600, 'image/jpeg']);
  const top = await sharp(photo.file).extract({ left: 180, top: 5, width: 4, height: 4 }).raw().toBuffer();
  expect(top[0]).toBeGreaterThan(200);
  expect(top[1]).toBeLessThan(60);
});

test('creates smaller renditions, none wider than the photo', async () => {
  const { copies } = await preparePhoto(await writeTempFile(await pictures.jpeg(1200, 800)), folder);
  expect(copies.map((copy) => [copy.width, copy.height, copy.type])).toEqual([
    [160, 107, 'image/avif'],
    [160, 107, 'image/webp'],
    [480, 320, 'image/avif'],
    [480, 320, 'image/webp'],
    [960, 640, 'image/avif'],
    [960, 640, 'image/webp'],
  ]);
  const tiny = await preparePhoto(await writeTempFile(await pictures.png(40, 30)), folder);
  expect(tiny.photo).toMatchObject({ width: 40, height: 30, type: 'image/png' });
  expect(tiny.copies.map((copy) => copy.width)).toEqual([40, 40]);
});

test('limits the height of the renditions of a very tall photo', async () => {
  const { copies } = await preparePhoto(await writeTempFile(await pictures.png(200, 20_000)), folder);
  for (const copy of copies) expect(copy.height).toBeLessThanOrEqual(2880);
});

test.each(pictures.hostileFiles)('rejects $name as a photo: $error', async ({ make, error }) => {
  await expect(preparePhoto(await writeTempFile(await make()), folder)).rejects.toThrow(error);
});

test('rejects a picture over 60 megapixels by its header alone', async () => {
  const file = await writeTempFile(await pictures.hugePng());
  const before = process.memoryUsage().rss;
  await expect(preparePhoto(file, folder)).rejects.toThrow('more than 60 megapixels');
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
});

test('rejects WebP as a photo and accepts it as an avatar', async () => {
  const webp = await writeTempFile(
    await sharp(await pictures.jpeg(900, 600))
      .webp()
      .toBuffer(),
  );
  await expect(preparePhoto(webp, folder)).rejects.toThrow('Only .JPG, .JPEG and .PNG photos');
  expect(await prepareAvatar(webp, folder)).toMatchObject({ width: 640, height: 427, type: 'image/webp' });
});

test('removes the metadata of an avatar', async () => {
  const avatar = await prepareAvatar(await writeTempFile(await pictures.photoWithGps()), folder);
  expect([avatar.width, avatar.height]).toEqual([400, 600]);
  const metadata = await sharp(await readFile(avatar.file)).metadata();
  expect([metadata.exif, metadata.xmp, metadata.orientation]).toEqual([undefined, undefined, undefined]);
});

test('prepares many photos concurrently', async () => {
  const file = await writeTempFile(await pictures.jpeg(300, 200));
  const done = await Promise.all(Array.from({ length: 6 }, () => preparePhoto(file, folder)));
  expect(done.map(({ photo }) => photo.width)).toEqual(Array(6).fill(300));
});
