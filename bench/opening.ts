import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { type Device, openDevice } from '../tests/e2e/support/device.ts';
import { listen } from '../tests/e2e/support/listen.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { atMost, type Figure, paired } from './figures.ts';
import { makePerformer, profileShownAt, signInOnce, watchForProfile } from './own-profile.ts';

const PAGE = '<!doctype html><meta charset="utf-8"><title>Bare</title><h1>Bare</h1><script src="/start.js"></script>';
const START = `navigator.serviceWorker.register('/sw.js')`;
const WORKER = `
  addEventListener('install', (event) => event.waitUntil(caches.open('bare').then((cache) => cache.addAll(['/', '/start.js']))));
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request))));`;

/** Serves a page with one heading and a worker that caches it: the baseline for opening anything offline in Chromium. */
async function bareSite(): Promise<{ url: string; stop: () => Promise<void> }> {
  const site = createServer((request, answer) => {
    const script = request.url === '/sw.js' ? WORKER : request.url === '/start.js' ? START : null;
    answer.setHeader('content-type', script === null ? 'text/html' : 'text/javascript').end(script ?? PAGE);
  });
  const port = await listen(site);
  const stop = async () => {
    site.closeAllConnections();
    site.close();
    await once(site, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

/** First contentful paint in milliseconds since the start of the navigation. */
function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          const paint = list.getEntriesByName('first-contentful-paint')[0];
          if (paint) resolve(paint.startTime);
        }).observe({ type: 'paint', buffered: true });
      }),
  );
}

interface Opened {
  paintMs: number;
  /** When the own profile was shown. For a bare page, its paint again. */
  shownMs: number;
}

/** Opens a new window after the app was closed and its worker ended, in a running browser. */
async function openWindow(device: Device, shownAt: (page: Page) => Promise<number>): Promise<Opened> {
  const page = await device.newTab();
  const session = await device.context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await page.goto('/');
  const opened = { paintMs: await firstPaint(page), shownMs: await shownAt(page) };
  await page.close();
  return opened;
}

/** Opens the first page after the browser itself was closed. */
async function openBrowser(
  device: Device,
  shownAt: (page: Page) => Promise<number>,
  prepare: () => Promise<void>,
): Promise<Opened> {
  await device.close();
  await device.relaunch();
  await prepare();
  await device.open('/');
  return { paintMs: await firstPaint(device.page), shownMs: await shownAt(device.page) };
}

interface Pair {
  ours: Opened;
  bare: Opened;
}

/** Measures opening the installed, signed-in app on the own profile with the server stopped. */
export async function measureOpening({ runs }: { runs: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const bare = await bareSite();
  const person = await makePerformer(server);
  const devices = [await openDevice({ url: server.url }), await openDevice({ url: bare.url })] as const;
  const [device, bareDevice] = devices;
  const windows: Pair[] = [];
  const browsers: Pair[] = [];
  try {
    await watchForProfile(device, person);
    await signInOnce(device, person);
    await bareDevice.open('/');
    await bareDevice.readyForOffline();
    await server.stop();
    await bare.stop();
    // An empty window stays open, so that closing the app does not exit the browser.
    await device.open('about:blank');
    await bareDevice.open('about:blank');
    for (let run = 0; run < runs; run += 1) {
      windows.push({
        bare: await openWindow(bareDevice, firstPaint),
        ours: await openWindow(device, profileShownAt),
      });
    }
    for (let run = 0; run < runs; run += 1) {
      browsers.push({
        bare: await openBrowser(bareDevice, firstPaint, () => Promise.resolve()),
        ours: await openBrowser(device, profileShownAt, () => watchForProfile(device, person)),
      });
    }
  } finally {
    for (const each of devices) await each.dispose();
    await server.dispose();
  }
  const figure = (name: string, pairs: readonly Pair[], of: keyof Opened): Figure => {
    const peer = { name: 'bare page, bare worker', runs: pairs.map((pair) => pair.bare[of]) };
    return {
      part: 'Opening the app on the own profile, server stopped',
      name,
      unit: 'ms',
      ...paired(
        pairs.map((pair) => pair.ours[of]),
        peer,
      ),
    };
  };
  return [
    { ...figure('first contentful paint', windows, 'paintMs'), bar: atMost(300) },
    figure('the own profile is shown', windows, 'shownMs'),
    figure('first contentful paint, browser just started', browsers, 'paintMs'),
    figure('the own profile is shown, browser just started', browsers, 'shownMs'),
  ];
}
