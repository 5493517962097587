import type { Locator, Page } from '@playwright/test';
import { SECTIONS } from '#contract/sections/index.ts';
import { type Device, openDevice } from '../tests/e2e/support/device.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { getMirror } from '#tests/e2e/support/client-store.ts';
import { type Figure, paired, percentile, ratioAtMost } from './figures.ts';
import { makeFullProfile, ROW_COUNT, SECTION_COUNT } from './full-profile.ts';
import { signInOnce, watchForProfile } from './own-profile.ts';

const SLOWED = 4;
const BARE = '/bare/';
/** The card of media, which are not a section. */
const OTHER_CARDS = 1;
const SECTION_KEYS = new Set(SECTIONS.map(({ key }) => key));

interface Drawn {
  /** Milliseconds from the click until the last change is painted. */
  ms: number;
  /** Counts on the page below the app bar. */
  cards: number;
  elements: number;
}

/**
 * Prepares the page: resolves when something was clicked and nothing below `root` has changed for half a second. A task
 * right after the frame records the time of each change.
 */
async function armed(page: Page, root: string): Promise<() => Promise<Drawn>> {
  const drawing = await page.evaluateHandle((selector) => {
    const quietMs = 500;
    const place = document.querySelector(selector);
    if (place === null) throw new Error(`There is no ${selector}`);
    let clickedAt: number | null = null;
    let paintedAt = 0;
    let isDue = false;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      paintedAt = performance.now();
      isDue = false;
    };
    const observer = new MutationObserver(() => {
      if (clickedAt === null) return;
      isDue = true;
      requestAnimationFrame(() => port2.postMessage(null));
    });
    observer.observe(place, { childList: true, characterData: true, subtree: true });
    addEventListener('click', (event) => (clickedAt = event.timeStamp), { capture: true, once: true });
    const settled = new Promise<{ ms: number; cards: number; elements: number }>((resolve) => {
      const interval = setInterval(() => {
        if (clickedAt === null || paintedAt === 0 || isDue || performance.now() - paintedAt < quietMs) return;
        clearInterval(interval);
        observer.disconnect();
        resolve({
          ms: paintedAt - clickedAt,
          cards: place.querySelectorAll('section[aria-labelledby]:not(section section)').length,
          elements: place.querySelectorAll('*').length,
        });
      }, 50);
    });
    return { settled };
  }, root);
  return async () => {
    const drawn = await drawing.evaluate(({ settled }) => settled);
    await drawing.dispose();
    return drawn;
  };
}

/**
 * Clicks with the CPU slowed down and measures everything that is drawn. Uses the mouse only, so that no other code
 * runs in the page.
 */
async function drawnByClick(page: Page, place: Locator): Promise<Drawn> {
  const box = await place.boundingBox();
  if (box === null) throw new Error('It is not on the page');
  const session = await page.context().newCDPSession(page);
  const drawn = await armed(page, 'main');
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const found = await drawn();
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.detach();
  return found;
}

/** Opens the profile by a click on its tab and returns to the previous tab. */
async function openProfile(page: Page): Promise<Drawn> {
  const tabs = page.getByRole('navigation', { name: 'Main' });
  const opened = await drawnByClick(page, tabs.getByRole('link', { name: 'Home' }));
  if (opened.cards !== SECTION_COUNT + OTHER_CARDS) throw new Error(`${opened.cards} cards were drawn`);
  const left = await armed(page, 'main');
  await tabs.getByRole('link', { name: 'Media' }).click();
  await left();
  return opened;
}

/** Opens an empty page of the same origin, bypassing the worker of the app, to read the same store. */
async function barePage(device: Device): Promise<Page> {
  const page = await device.newTab();
  const session = await device.context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBypassServiceWorker', { bypass: true });
  await page.route(`**${BARE}`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><button>Open</button><main></main>' }),
  );
  await page.goto(BARE);
  await page.evaluate(async () => {
    const found = (await indexedDB.databases()).find((each) => /^app:.*:/.test(each.name ?? ''));
    if (found?.name === undefined) throw new Error('There is no store');
    const opening = indexedDB.open(found.name);
    const store = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error ?? new Error('The store does not open'));
    });
    document.querySelector('button')?.addEventListener('click', () => {
      const reading = store.transaction('records').objectStore('records').getAll();
      reading.onsuccess = () => {
        const rows = reading.result as { body: unknown }[];
        const count = Number(document.body.dataset.elements);
        const list = document.createElement('ul');
        for (let n = 0; n < count; n += 1) {
          const element = document.createElement('li');
          const row = rows[n];
          if (row) element.textContent = JSON.stringify(row.body).slice(0, 80);
          list.append(element);
        }
        document.querySelector('main')?.replaceChildren(list);
      };
    });
  });
  return page;
}

/** Reads the same rows once and draws as many plain elements, with the same CPU slowdown. */
async function drawBare(page: Page, elements: number): Promise<Drawn> {
  await page.evaluate((count) => {
    document.querySelector('main')?.replaceChildren();
    document.body.dataset.elements = String(count);
  }, elements);
  return drawnByClick(page, page.getByRole('button'));
}

/** Measures the first opening since the start of the app on another tab, with cold code and store. */
async function openFirst(page: Page): Promise<Drawn> {
  await page.reload();
  await page.getByRole('heading', { name: 'Media' }).first().waitFor();
  await page.waitForLoadState('networkidle');
  return openProfile(page);
}

/** Measures with all data in Dexie, the server stopped and the page's code loaded: only reading and drawing remain. */
export async function measureFullOpening({ runs, count }: { runs: number; count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const person = await makeFullProfile(server.url);
  const device = await openDevice({ url: server.url });
  const ours: number[][] = [];
  const firsts: number[][] = [];
  const bare: number[][] = [];
  try {
    await watchForProfile(device, person);
    await signInOnce(device, person);
    let rows = 0;
    for (let look = 0; look < 100 && rows !== ROW_COUNT; look += 1) {
      rows = (await getMirror(device.page)).filter(({ type }) => SECTION_KEYS.has(type)).length;
      if (rows !== ROW_COUNT) await device.page.waitForTimeout(100);
    }
    if (rows !== ROW_COUNT) throw new Error(`${rows} of ${ROW_COUNT} rows came`);
    // A second visit with the worker active also caches the portrait.
    await device.page.reload();
    await device.page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
    await device.page.getByRole('img', { name: person.name }).waitFor();
    await server.stop();
    await device.page.getByRole('link', { name: 'Media' }).click();
    const plain = await barePage(device);
    // The first openings load lazy chunks and warm up the code.
    for (let run = -1; run < runs; run += 1) {
      const mine: number[] = [];
      const peers: number[] = [];
      for (let n = 0; n < (run < 0 ? 3 : count); n += 1) {
        await device.page.bringToFront();
        const opened = await openProfile(device.page);
        await plain.bringToFront();
        mine.push(opened.ms);
        peers.push((await drawBare(plain, opened.elements)).ms);
      }
      if (run < 0) continue;
      ours.push(mine);
      bare.push(peers);
      const alone: number[] = [];
      await device.page.bringToFront();
      for (let n = 0; n < Math.ceil(count / 4); n += 1) alone.push((await openFirst(device.page)).ms);
      firsts.push(alone);
    }
  } finally {
    await device.dispose();
    await server.dispose();
  }
  const figure = (name: string, found: readonly number[][], share: number): Figure => {
    const runsOf = (all: readonly number[][]) => all.map((run) => percentile(run, share));
    const peer = { name: 'one bare read, as many bare elements', runs: runsOf(bare) };
    return {
      part: `Opening a profile of ${SECTION_COUNT} sections and ${ROW_COUNT} rows, processor slowed down ${SLOWED} times`,
      name,
      unit: 'ms',
      ...paired(runsOf(found), peer),
    };
  };
  return [
    figure(`click to last card painted, p50 of ${count}`, ours, 0.5),
    { ...figure('the same, p75', ours, 0.75), bar: ratioAtMost(1.4) },
    figure('the first time since the start of the app, p75', firsts, 0.75),
  ];
}
