import type { Locator, Page } from '@playwright/test';
import { openDevice } from '../tests/e2e/support/device.ts';
import { buildFilm, encodeSecond } from '../tests/e2e/support/film.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { fillRole } from './casting.ts';
import { atMost, type Figure, paired } from './figures.ts';
import { atRest } from './gallery.ts';

/** More than the worker keeps, so that it comes from the server. */
const FILM_BYTES = 32 * 1024 ** 2;

/** Milliseconds from a tap on a tile until the first frame of its film is on the screen. */
function untilFirstFrame(tile: Locator): Promise<number> {
  return tile.evaluate(
    (element: HTMLElement) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now();
        const observer = new MutationObserver(() => {
          const video = document.querySelector<HTMLVideoElement>('dialog video');
          if (!video) return;
          observer.disconnect();
          video.requestVideoFrameCallback(() => resolve(performance.now() - startedAt));
        });
        observer.observe(document, { childList: true, subtree: true });
        element.click();
      }),
  );
}

/** The same film in a `<video>` on a page that has nothing to do. @returns milliseconds until its first frame */
function playBare(page: Page, source: string): Promise<number> {
  return page.evaluate(
    (source) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now();
        const video = document.createElement('video');
        video.preload = 'metadata';
        video.requestVideoFrameCallback(() => resolve(performance.now() - startedAt));
        video.src = source;
        document.body.append(video);
      }),
    source,
  );
}

/** Measures how long a tape of a large film takes from a tap to its first frame. Each film is opened once. */
export async function measureFirstFrame({ count }: { count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const device = await openDevice({ url: server.url });
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    const { page } = device;
    await device.open('/privacy');
    const film = buildFilm(await encodeSecond(page), FILM_BYTES, 'in front');
    // The first one loads the code of the player.
    const cast = await fillRole(server, count + 1, film);
    await device.signInForOffline(cast.person);
    await device.open(`/casting/roles/${cast.roleId}`);
    const tiles = page.getByRole('region', { name: 'Tapes' }).getByRole('button', { name: /^Open the tape/ });
    await tiles.nth(count).waitFor();
    const session = await page.context().newCDPSession(page);
    for (let at = 0; at <= count; at += 1) {
      await atRest(page);
      const took = await untilFirstFrame(tiles.nth(at));
      const source = await page.locator('dialog video').getAttribute('src');
      await page.goBack();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      const tab = await device.newTab();
      await tab.goto('/privacy');
      await atRest(tab);
      await session.send('Network.clearBrowserCache');
      const tookBare = await playBare(tab, source!);
      await tab.close();
      if (at === 0) continue;
      ours.push(took);
      bare.push(tookBare);
    }
  } finally {
    await device.dispose();
    await server.dispose();
  }
  const name = 'from a tap on a tape to its first frame';
  const peer = { name: 'a bare video of the same film', runs: bare };
  return [{ part: 'Films of 32 MB, each opened once', name, unit: 'ms', ...paired(ours, peer), bar: atMost(300) }];
}
