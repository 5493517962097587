import type { Page } from '@playwright/test';
import { readFile, readdir } from 'node:fs/promises';
import { card } from './support/actions.ts';
import { type CaptivePortal, startCaptivePortal } from './support/captive-portal.ts';
import { addPhoto } from './support/media-factory.ts';
import { makeProfile } from './support/people.ts';
import { expect, test as base } from './support/test.ts';

const test = base.extend<{ portal: CaptivePortal }>({
  portal: async ({ server }, use) => {
    const portal = await startCaptivePortal(server.port);
    await use(portal);
    await portal.close();
  },
});

/** True for files that the service worker fetches itself; a page requests them as script or style. */
const isFromWorker = ({ url = '', headers }: { url?: string; headers: Record<string, unknown> }) =>
  headers['sec-fetch-dest'] === 'empty' && /\.(js|css|html)$/.test(url) && url !== '/sw.js';

/** Console errors of the browser when it receives a page instead of code. Some have no text. */
const NOT_CODE_ERROR = /MIME type|Unexpected token|^uncaught: $/;

const title = (page: Page) => page.getByRole('heading', { level: 1 });

/** Resolves once an installation of the worker has failed. */
const waitForFailedInstall = (page: Page) =>
  page.evaluate(async () => {
    const { installing } = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' });
    if (installing === null) throw new Error('A service worker is already installed');
    await new Promise<void>((resolve) => {
      const checkState = () => installing.state === 'redundant' && resolve();
      installing.addEventListener('statechange', checkState);
      checkState();
    });
  });

/** Replaces every file that the worker stored with the sign-in page, on request with the headers of a valid file. */
const poisonCache = (page: Page, keepsHeaders: boolean) =>
  page.evaluate(async (keeps) => {
    const cache = await caches.open('precache');
    for (const key of await cache.keys()) {
      const headers = keeps ? (await cache.match(key))?.headers : { 'Content-Type': 'text/html' };
      await cache.put(key, new Response('<h1>Sign in to the hotel Wi-Fi</h1>', { headers }));
    }
    return (await cache.keys()).length;
  }, keepsHeaders);

/** Number of stored files that are the sign-in page. */
const countPoisoned = (page: Page) =>
  page.evaluate(async () => {
    const bodies = (await (await caches.open('precache')).matchAll()).map((answer) => answer.text());
    return (await Promise.all(bodies)).filter((text) => text.startsWith('<h1>Sign in')).length;
  });

test('does not store a sign-in page that the worker receives while installing, and installs the app on the next visit', async ({
  portal,
  newDevice,
  server,
}) => {
  const phone = await newDevice({ url: portal.url });
  portal.interceptRequests(isFromWorker);
  await phone.open('/');
  await expect(title(phone.page)).toBeVisible();
  await waitForFailedInstall(phone.page);
  expect(await countPoisoned(phone.page)).toBe(0);

  portal.interceptRequests(null);
  await phone.open('/');
  await phone.readyForOffline();
  await server.stop();
  await phone.open('/login');
  await expect(title(phone.page)).toBeVisible();
});

for (const [kind, keepsHeaders] of [
  ['without the marks of the build', false],
  ['under the marks of the build', true],
] as const) {
  test(
    `a stored sign-in page ${kind} is replaced at the next start, and the outbox is kept`,
    { tag: keepsHeaders ? [] : ['@full'] },
    async ({ portal, newDevice, person, server }) => {
      await makeProfile(person);
      const phone = await newDevice({ url: portal.url });
      await phone.signInForOffline(person);
      const { page } = phone;
      expect(await poisonCache(page, keepsHeaders)).toBeGreaterThan(50);
      const databases = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name).sort());

      await phone.open('/');
      await expect(page.getByRole('button', { name: 'Add a skill' })).toBeVisible({ timeout: 30_000 });
      await expect.poll(() => countPoisoned(page), { timeout: 30_000 }).toBe(0);
      expect(await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name).sort())).toEqual(
        databases,
      );
      await server.stop();
      await phone.open('/settings');
      await expect(title(page)).toBeVisible();
      phone.allowBrowserError(NOT_CODE_ERROR);
    },
  );
}

test(
  'explains that a sign-in page replaced the code, and starts once the network lets it through',
  { tag: '@full' },
  async ({ portal, newDevice }) => {
    const phone = await newDevice({ url: portal.url });
    const { page } = phone;
    portal.interceptRequests(({ url = '' }) => /\.(js|css)(\?|$)/.test(url) && !url.startsWith('/theme.js'));
    await phone.open('/');
    await expect(page.getByText('If this Wi-Fi wants you to sign in, do that first.')).toBeVisible();

    portal.interceptRequests(({ url = '' }) => /^\/assets\/.*\.(js|css)$|^\/theme\.js\?/.test(url));
    await page.reload();
    await expect(page.getByRole('alert')).toContainText('This Wi-Fi wants you to sign in.');
    portal.interceptRequests(null);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(title(page)).toBeVisible();
    phone.allowBrowserError(NOT_CODE_ERROR);
  },
);

/** The path of the only script that contains this text. */
async function findScript(text: string): Promise<string> {
  const names = await readdir('dist/app/assets');
  const files = await Promise.all(
    names
      .filter((name) => name.endsWith('.js'))
      .map(async (name) => ({ name, code: await readFile(`dist/app/assets/${name}`, 'utf8') })),
  );
  const found = files.filter(({ code }) => code.includes(text)).map(({ name }) => name);
  expect(found).toHaveLength(1);
  return `/assets/${found[0]}`;
}

test(
  'reloads a page that a sign-in page left without part of its code, but not while a form is open',
  { tag: '@full' },
  async ({ portal, newDevice, person }) => {
    const phone = await newDevice({ url: portal.url });
    const { page } = phone;
    const { id } = await makeProfile(person);
    await addPhoto(person, portal.url, String(id), 'At the window');
    const script = await findScript('Saved only');
    const caught: string[] = [];
    portal.interceptRequests(({ url = '' }) => {
      const isCaught = url === script || url.startsWith('/theme.js?');
      if (isCaught) caught.push(url);
      return isCaught;
    });
    await phone.signInAs(person);
    await phone.open('/');
    const photo = page.getByRole('button', { name: /At the window/ });
    // The page has noticed, and asks again and again whether the server answers.
    await expect.poll(() => caught.some((url) => url !== script), { timeout: 30_000 }).toBe(true);
    await expect(photo).toHaveCount(0);

    await page.getByRole('button', { name: 'Edit Profile' }).click();
    await expect(page.getByRole('textbox').first()).toBeVisible();
    portal.interceptRequests(null);
    const question = page.getByRole('alertdialog', { name: 'Reload to go on' });
    await expect(question).toContainText('Your text is kept.', { timeout: 30_000 });
    await question.getByRole('button', { name: 'Not now' }).click();
    await page.keyboard.press('Escape');
    await expect(photo.first()).toBeVisible({ timeout: 30_000 });
    phone.allowBrowserError(NOT_CODE_ERROR);
    phone.allowBrowserError(/dynamically imported module|could not be fetched|fetching the script/);
  },
);

test(
  'installs the worker after a sign-in page replaced its registration',
  { tag: '@full' },
  async ({ portal, newDevice }) => {
    const phone = await newDevice({ url: portal.url });
    const script = await findScript('No service worker:');
    portal.interceptRequests(({ url, headers }) => url === script && headers.referer?.endsWith('/sw.js') !== true);
    await phone.open('/login');
    const isReady = () => navigator.serviceWorker.controller?.state === 'activated';
    await phone.page.waitForFunction(isReady, null, { timeout: 45_000 });
    phone.allowBrowserError(NOT_CODE_ERROR);
    phone.allowBrowserError(/dynamically imported module/);
  },
);

test(
  'does not show a sign-in page from the browser’s cache in place of records or a picture',
  { tag: '@full' },
  async ({ portal, newDevice, person, server }) => {
    const { id } = await makeProfile(person);
    await addPhoto(person, server.url, String(id), 'On stage');
    const phone = await newDevice({ url: portal.url });
    const { page } = phone;
    let caught = 0;
    portal.interceptRequests(({ url = '' }) => url.startsWith('/storage/') || (url === '/sync' && (caught += 1) === 1));
    await phone.signInForOffline(person);
    await expect(page.getByRole('button', { name: 'Add a skill' })).toBeVisible({ timeout: 20_000 });
    expect(caught).toBeGreaterThan(1);
    const photo = card(page, 'Photos').getByRole('button', { name: /^On stage/ });
    await photo.scrollIntoViewIfNeeded();
    await expect(photo.locator('img')).toHaveCount(0);

    portal.interceptRequests(null);
    await phone.open('/');
    await photo.scrollIntoViewIfNeeded();
    await expect(photo.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  },
);
