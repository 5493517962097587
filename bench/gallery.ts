import type { Page } from '@playwright/test';
import type { Media } from '#contract/records/media.ts';
import { openDevice } from '../tests/e2e/support/device.ts';
import type { Person } from '../tests/e2e/support/people.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { atMost, type Figure, spread } from './figures.ts';
import { makePhotographer } from './portfolio.ts';
import { scrollDown } from './scrolling.ts';

const SLOWED = 4;
const SHAPE = { width: 720, height: 900, quality: 90 };
const MIN_BYTES = 100_000;
const BARE = '/bare/';
/** The minimum share of photos that must be seen. */
const MIN_SEEN_SHARE = 0.95;

interface Scrolled {
  /** Main thread tasks while scrolling, in milliseconds. Browsers report only tasks over 50 ms, so shorter ones count as 0. */
  longestTask: number;
  longTasks: number;
}

/** Waits until nothing on the page has changed for a second. */
export function atRest(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let changedAt = performance.now();
        const observer = new MutationObserver(() => (changedAt = performance.now()));
        observer.observe(document, { childList: true, characterData: true, subtree: true });
        const interval = setInterval(() => {
          if (performance.now() - changedAt < 1000) return;
          clearInterval(interval);
          observer.disconnect();
          resolve();
        }, 50);
      }),
  );
}

/** Scrolls from top to bottom with the CPU slowed down and every tile unseen before. */
async function scrolled(page: Page, count: number): Promise<Scrolled> {
  const session = await page.context().newCDPSession(page);
  await atRest(page);
  const tasks = await page.evaluateHandle(() => {
    const lengths: number[] = [];
    const seen = new Set<string>();
    for (const { naturalWidth, currentSrc } of document.querySelectorAll<HTMLImageElement>('main li img')) {
      if (naturalWidth > 0) seen.add(currentSrc);
    }
    const isCapturing = true;
    document.addEventListener(
      'load',
      ({ target }) => {
        if (target instanceof HTMLImageElement) seen.add(target.currentSrc);
      },
      isCapturing,
    );
    const observer = new PerformanceObserver((list) => {
      lengths.push(...list.getEntries().map(({ duration }) => duration));
    });
    observer.observe({ type: 'longtask' });
    return { lengths, observer, seen };
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await scrollDown(page, session);
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLImageElement>('main li img')].every((each) => each.naturalWidth > 0),
  );
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const { lengths, seen } = await tasks.evaluate((watched) => {
    watched.lengths.push(...watched.observer.takeRecords().map(({ duration }) => duration));
    watched.observer.disconnect();
    return { lengths: watched.lengths, seen: watched.seen.size };
  });
  await session.detach();
  // A photo that was scrolled past before it loaded does not count as seen.
  if (seen < MIN_SEEN_SHARE * count) throw new Error(`Only ${seen} of ${count} photos were seen`);
  return { longestTask: Math.max(0, ...lengths), longTasks: lengths.length };
}

/** Draws the same thumbnails in a plain grid, bypassing the worker of the app. */
async function openBare(page: Page, photos: readonly Media[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBypassServiceWorker', { bypass: true });
  const tiles = photos.map(({ renditions, thumb_path }) => {
    const copy = renditions.find(({ type, width }) => type === 'image/avif' && width === 480);
    return `<li><img loading="lazy" decoding="async" alt="" src="${copy?.path ?? thumb_path ?? ''}"></li>`;
  });
  const body = `<!doctype html><meta name="viewport" content="width=device-width">
    <style>ul { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6px; padding: 0; list-style: none }
    img { width: 100%; aspect-ratio: 4 / 5; object-fit: cover }</style><main><ul>${tiles.join('')}</ul></main>`;
  await page.route(`**${BARE}`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(BARE);
}

/** Measures both pages on separate devices without cached photos. */
async function scrollBoth(url: string, person: Person, photos: readonly Media[]) {
  const device = await openDevice({ url });
  try {
    await device.signInForOffline(person);
    await device.open('/media?tab=photos');
    await device.page.getByText(`${photos.length} items`).waitFor({ timeout: 60_000 });
    const ours = await scrolled(device.page, photos.length);
    const plain = await device.newTab();
    await openBare(plain, photos);
    return { ours, bare: await scrolled(plain, photos.length) };
  } finally {
    await device.dispose();
  }
}

/** Measures a portfolio of many photos from the real server, scrolled through on a slow phone. */
export async function measureGallery({ runs, count }: { runs: number; count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const found: Awaited<ReturnType<typeof scrollBoth>>[] = [];
  let minBytes = 0;
  try {
    const { person, photos } = await makePhotographer(server.url, count, SHAPE);
    minBytes = Math.min(...photos.map(({ size }) => size ?? 0));
    if (minBytes < MIN_BYTES) throw new Error(`A photo has only ${minBytes} bytes`);
    for (let run = 0; run < runs; run += 1) found.push(await scrollBoth(server.url, person, photos));
  } finally {
    await server.dispose();
  }
  const figure = (name: string, of: keyof Scrolled, unit: Figure['unit']): Figure => {
    return {
      part: `Scrolling through ${count} photos of ${Math.floor(minBytes / 1000)} kB or more, processor slowed down ${SLOWED} times`,
      name,
      unit,
      // No ratio, because both values may be zero.
      value: spread(found.map((run) => run.ours[of])),
      peer: { name: 'the same pictures, bare', value: spread(found.map((run) => run.bare[of])) },
    };
  };
  return [
    { ...figure('longest task (0: none over 50 ms)', 'longestTask', 'ms'), bar: atMost(50) },
    figure('tasks over 50 ms', 'longTasks', 'tasks'),
  ];
}
