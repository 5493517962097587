import { readFile, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { openDevice } from '../tests/e2e/support/device.ts';
import { makePerson, makeProfile } from '../tests/e2e/support/people.ts';
import { type AppServer, appServer } from '../tests/e2e/support/server.ts';
import { type Figure, atMost, spread } from './figures.ts';

const APP = 'dist/app';

async function gzipBytes(address: string): Promise<number> {
  return gzipSync(await readFile(path.join(APP, address)), { level: 9 }).length;
}

async function sum(addresses: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const address of addresses) bytes += await gzipBytes(address);
  return bytes;
}

interface Visit {
  /** Script addresses fetched before `painted` resolved, and until the network was idle. */
  beforePaint: Set<string>;
  untilIdle: Set<string>;
  styles: Set<string>;
}

/**
 * What the page itself asks for, the worker's own fetching aside: signed out on a device that was never here, signed in on
 * one that holds the person's records (the first time of all, the profile must come from the server before it can show).
 */
async function visit(server: AppServer, address: string, token: string | null, painted?: string): Promise<Visit> {
  const device = await openDevice({ url: server.url });
  try {
    if (token !== null) await device.signInAs({ token });
    const heading = device.page.getByRole('heading', painted === undefined ? { level: 1 } : { name: painted }).first();
    if (token !== null) {
      await device.open(address);
      await heading.waitFor();
    }
    const scripts = new Set<string>();
    const styles = new Set<string>();
    device.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith('.js') && request.resourceType() === 'script') scripts.add(pathname);
      if (pathname.endsWith('.css')) styles.add(pathname);
    });
    await device.open(address);
    await heading.waitFor();
    const beforePaint = new Set(scripts);
    await device.page.waitForLoadState('networkidle');
    scripts.delete('/sw.js');
    return { beforePaint, untilIdle: scripts, styles };
  } finally {
    await device.dispose();
  }
}

/** What the worker stores at its first start, as the server sends it: brotli where there is one. */
async function precacheBytes(): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(APP, { recursive: true })) {
    if (!/\.(js|css|html|svg|png|woff2|webmanifest)$/.test(name) || /(^sw\.js$|screenshots)/.test(name)) continue;
    const file = path.join(APP, name);
    const sent = await stat(`${file}.br`).catch(() => stat(file));
    bytes += sent.size;
  }
  return bytes;
}

const figure = (name: string, bytes: number, maxKib: number): Figure => ({
  part: 'What a phone fetches',
  name,
  unit: 'KiB',
  value: spread([bytes / 1024]),
  bar: atMost(maxKib),
});

/** The weight of the two ways in, on devices that were never here. Sizes do not vary, so once is enough. */
export async function measureSizes(): Promise<Figure[]> {
  const server = await appServer();
  try {
    await server.start();
    const person = await makePerson(server.url);
    await makeProfile(person);
    const landing = await visit(server, '/', null);
    const profile = await visit(server, '/', person.token, person.name);
    return [
      figure('signed-out first visit: script until idle, gzip', await sum(landing.untilIdle), 130),
      figure('own profile: script before it paints, gzip', await sum(profile.beforePaint), 150),
      figure('own profile: script until idle, gzip', await sum(profile.untilIdle), 200),
      figure('own profile: CSS, gzip', await sum(profile.styles), 25),
      figure('service worker, gzip', await gzipBytes('sw.js'), 55),
      figure('precache, as transferred', await precacheBytes(), 700),
    ];
  } finally {
    await server.dispose();
  }
}
