import sharp from 'sharp';
import { buffer } from 'node:stream/consumers';
import type { Media } from '#contract/records/media.ts';
import { openDevice } from '../tests/e2e/support/device.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { type Figure, median, paired, spread } from './figures.ts';
import { makePhotographer } from './portfolio.ts';
import { scrollDown } from './scrolling.ts';

const SHAPE = { width: 1500, height: 2000, quality: 90 };
const KIB = 1024;

/** What a phone shows for each photo: the rendition that its browser selects. */
async function chosenCopies(url: string, token: string, count: number): Promise<string[]> {
  const device = await openDevice({ url });
  try {
    await device.signInForOffline({ token });
    await device.open('/media?tab=photos');
    const tiles = device.page.locator('[data-media] img');
    await tiles.nth(count - 1).waitFor();
    await scrollDown(device.page, await device.context.newCDPSession(device.page));
    await device.page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    const sources = await tiles.evaluateAll((all) =>
      all.flatMap((image) => (image instanceof HTMLImageElement ? [new URL(image.currentSrc).pathname] : [])),
    );
    if (sources.length !== count) throw new Error(`${sources.length} of ${count} photos are shown`);
    return sources;
  } finally {
    await device.dispose();
  }
}

async function fetched(url: string, path: string): Promise<Buffer> {
  const answer = await fetch(url + path);
  if (!answer.ok || answer.body === null) throw new Error(`${path} was answered ${answer.status}`);
  return buffer(answer.body);
}

/** Measures the download of a phone for each photo tile, against a plain JPEG with the same dimensions. */
export async function measureThumbnails({ count }: { count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const ours: number[] = [];
  const plain: number[] = [];
  const originals: number[] = [];
  let width = 0;
  try {
    const { person, photos } = await makePhotographer(server.url, count, SHAPE);
    const originalOf = (path: string): Media | undefined =>
      photos.find(({ renditions }) => renditions.some((copy) => copy.path === path));
    for (const path of await chosenCopies(server.url, person.token, count)) {
      const photo = originalOf(path);
      if (photo === undefined) throw new Error(`A tile shows ${path}, which is no copy of a photo`);
      const copy = await fetched(server.url, path);
      const original = await fetched(server.url, photo.path);
      width = photo.renditions.find((each) => each.path === path)?.width ?? 0;
      ours.push(copy.length / KIB);
      originals.push(original.length / KIB);
      plain.push((await sharp(original).resize(width).jpeg({ quality: 80 }).toBuffer()).length / KIB);
    }
  } finally {
    await server.dispose();
  }
  const ratio = median(ours.map((size, at) => size / (originals[at] ?? NaN)));
  return [
    {
      part: `What a phone fetches for the tile of a photo, median of ${count}`,
      name: `copy of ${width} pixels`,
      unit: 'KiB',
      ...paired(ours, { name: 'JPEG as large, quality 80', runs: plain }),
    },
    {
      part: `What a phone fetches for the tile of a photo, median of ${count}`,
      name: 'the same copy',
      unit: 'KiB',
      value: spread(ours),
      peer: { name: `its original of ${SHAPE.width} × ${SHAPE.height}`, value: spread(originals) },
      ratio,
    },
  ];
}
