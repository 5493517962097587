import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findChromium } from '../scripts/find-chromium.ts';
import { setToken } from '../tests/e2e/support/device.ts';
import { listen } from '../tests/e2e/support/listen.ts';
import { getProfilePath, type Person } from '../tests/e2e/support/people.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { atLeast, type Figure, spread } from './figures.ts';
import { makeFullProfile } from './full-profile.ts';

/** Fetched when this part runs, because it brings more packages than the whole app. */
const LIGHTHOUSE = 'lighthouse@12.8.2';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

interface Report {
  categories: Record<
    (typeof CATEGORIES)[number],
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, { title: string; score: number | null; scoreDisplayMode: string }>;
}

/** Runs Lighthouse with its mobile settings against a running browser. */
async function audit(url: string, port: number, keepStorage: boolean): Promise<Report> {
  const args = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url, `--port=${port}`];
  const options = ['--output=json', '--quiet', `--only-categories=${CATEGORIES.join()}`];
  if (keepStorage) options.push('--disable-storage-reset');
  const child = spawn('npm', [...args, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (exitCode !== 0) throw new Error(`Lighthouse ended with ${exitCode} on ${url}`);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as Report;
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** Opens a browser that Lighthouse can connect to, with the person signed in if there is one. */
async function withBrowser(url: string, person: Person | null, work: (port: number) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-lighthouse-'));
  const port = await findFreePort();
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: await findChromium(),
    args: [`--remote-debugging-port=${port}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  });
  try {
    if (person) {
      await setToken(context, person);
      const page: Page = await context.newPage();
      await page.goto(url);
      await page.getByRole('button', { name: 'Edit Profile' }).waitFor();
      await page.close();
    }
    await work(port);
  } finally {
    await context.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures the landing page, a public profile and the own profile on a phone, as Lighthouse rates them. */
export async function measureLighthouse({ runs }: { runs: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const figures: Figure[] = [];
  const rate = async (name: string, address: string, person: Person | null) => {
    const reports: Report[] = [];
    await withBrowser(server.url, person, async (port) => {
      for (let run = 0; run < runs; run += 1)
        reports.push(await audit(`${server.url}${address}`, port, person !== null));
    });
    for (const category of CATEGORIES) {
      const scores = reports.map(({ categories }) => Math.round((categories[category].score ?? 0) * 100));
      const bar = atLeast(category === 'performance' ? 95 : 100);
      figures.push({ part: 'Lighthouse, phone', name: `${name}: ${category}`, unit: '%', value: spread(scores), bar });
      for (const { id, weight } of reports[0]?.categories[category].auditRefs ?? []) {
        const found = reports[0]?.audits[id];
        if (weight > 0 && found?.score !== null && (found?.score ?? 1) < 0.9)
          console.error(`  ${name}, ${category}: ${id} ${String(found?.score)} (${String(found?.title)})`);
      }
    }
  };
  try {
    const person = await makeFullProfile(server.url);
    // By default, pages ask search engines not to list them. This one may be found.
    await person.call('PUT', '/settings', { privacy: { search_engines: true } });
    const { body } = await person.call<{ id: string }[]>('GET', '/profiles/all');
    const profile = await getProfilePath(person, body[0]?.id ?? '');
    await rate('landing page', '/', null);
    await rate('public profile', profile, null);
    await rate('own profile', '/', person);
  } finally {
    await server.dispose();
  }
  return figures;
}
