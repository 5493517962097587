import type { Browser, Page } from '@playwright/test';
import { get } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { launchSharedBrowser, openDevice } from '../tests/e2e/support/device.ts';
import { type AppServer, appServer } from '../tests/e2e/support/server.ts';
import { atMost, type Figure, spread } from './figures.ts';
import { makePerformer, profileShownAt, signInOnce, watchForProfile } from './own-profile.ts';

type Encoding = 'identity' | 'gzip' | 'br';

/** Size in bytes of a response body with this encoding. */
export async function getSize(address: string, encoding: Encoding): Promise<number> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': encoding } }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${address} was answered ${answer.statusCode}`));
      buffer(answer).then((body) => resolve(body.length), reject);
    }).on('error', reject);
  });
}

async function sum(addresses: readonly string[], encoding: Encoding): Promise<number> {
  const sizes = await Promise.all([...new Set(addresses)].map((address) => getSize(address, encoding)));
  return sizes.reduce((all, size) => all + size, 0);
}

interface Loaded {
  url: string;
  /** When it was requested, in milliseconds since the start of the navigation. */
  at: number;
}

/** Returns the files of one kind that a page has loaded, including lazy ones, after two seconds without a request. */
async function loadedBy(page: Page): Promise<Loaded[]> {
  await page.waitForFunction(
    () =>
      performance.now() - Math.max(0, ...performance.getEntriesByType('resource').map((entry) => entry.startTime)) >
      2000,
  );
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name, startTime }) => ({ url: name, at: startTime })),
  );
  loaded.sort((a, b) => a.at - b.at);
  // On a busy machine the check may come late. Requests after the idle period do not count as part of the start.
  const end = loaded.findIndex(({ at }, n) => at - (loaded[n - 1]?.at ?? at) > 2000);
  return end === -1 ? loaded : loaded.slice(0, end);
}

const isScript = ({ url }: Loaded) => new URL(url).pathname.endsWith('.js');
const isStyle = ({ url }: Loaded) => new URL(url).pathname.endsWith('.css');
const addresses = (loaded: readonly Loaded[]) => loaded.map(({ url }) => url);

/** Addresses in the precache of the worker. */
function precached(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.includes('precache'));
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map((request) => request.url.split('?')[0] ?? request.url);
  });
}

/** Measures what a phone downloads, by loading real pages of `server` in contexts of `browser`. */
export async function measureBytes(server: AppServer, browser: Browser): Promise<Figure[]> {
  const person = await makePerformer(server);
  const newDevice = () => openDevice({ url: server.url, browser });
  const devices = [await newDevice(), await newDevice(), await newDevice()] as const;
  const [visitor, performer, newcomer] = devices;
  try {
    await visitor.open('/');
    const landing = await loadedBy(visitor.page);
    await watchForProfile(performer, person);
    await signInOnce(performer, person);
    await performer.page.reload();
    const shownAt = await profileShownAt(performer.page);
    const profile = await loadedBy(performer.page);
    const scripts = profile.filter(isScript);
    // A device with a session and an empty store must load its first page from the server.
    await watchForProfile(newcomer, person);
    await newcomer.signInAs(person);
    await newcomer.open('/');
    const firstShownAt = await profileShownAt(newcomer.page);
    const firstScripts = (await loadedBy(newcomer.page)).filter(isScript);
    const shell = await precached(performer.page);

    const figure = async (name: string, files: readonly string[], limit: number): Promise<Figure> => ({
      part: 'What is fetched (gzip)',
      name,
      unit: 'KiB',
      value: spread([(await sum(files, 'gzip')) / 1024]),
      peer: { name: 'before packing', value: spread([(await sum(files, 'identity')) / 1024]) },
      bar: atMost(limit),
    });
    const early = scripts.filter(({ at }) => at < shownAt);
    const firstEarly = firstScripts.filter(({ at }) => at < firstShownAt);
    const styles = addresses([...landing, ...profile].filter(isStyle));
    return [
      await figure('scripts of a first visit to / until idle', addresses(landing.filter(isScript)), 130),
      await figure('scripts of the own profile before it shows', addresses(early), 140),
      await figure('scripts of the own profile until idle', addresses(scripts), 182),
      await figure('scripts of the first visit signed in before the own profile shows', addresses(firstEarly), 140),
      await figure('scripts of the first visit signed in until idle', addresses(firstScripts), 182),
      await figure('styles', styles, 25),
      await figure('the worker', [`${server.url}/sw.js`], 55),
      {
        ...(await figure('precache, as sent (Brotli)', shell, 700)),
        value: spread([(await sum(shell, 'br')) / 1024]),
      },
    ];
  } finally {
    for (const device of devices) await device.dispose();
  }
}

/** Measures it with a server and a browser of its own. */
export async function measureBytesAlone(): Promise<Figure[]> {
  const [server, browser] = await Promise.all([appServer(), launchSharedBrowser()]);
  try {
    await server.start();
    return await measureBytes(server, browser);
  } finally {
    await browser.close();
    await server.dispose();
  }
}
