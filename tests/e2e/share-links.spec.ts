import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { toCodeText, type ShareLink } from '#contract/records/links.ts';
import { FILM, make, makeAudition, sendTape } from './support/casting.ts';
import { expectAccessible } from './support/axe.ts';
import { makePerson, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Whatever was done without signal goes when the device notices that it is back. */
const PATIENCE = { timeout: 60_000 };

/** When the tape of a performer's only audition was watched for the first time. */
async function getWatchedAt(performer: Person): Promise<string | null> {
  type Page = { records: { type: string; body: { watched_at?: string | null } | null }[] };
  const { body } = await performer.call<Page>('GET', '/sync');
  return body.records.find(({ type }) => type === 'audition')?.body?.watched_at ?? null;
}

test(
  'shows tapes to a producer without an account, by a link made without signal, until it is revoked',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(180_000);
    const { performer, role, request } = await makeAudition(server.url, person);
    await sendTape(server.url, performer, request.id, { film: await readFile(FILM), note: 'My number is 0172 555' });
    const [office, producer] = [await newDevice({ shape: 'desktop' }), await newDevice({ isFirstVisit: true })];
    // What ends is answered 404.
    producer.allowBrowserError(/status of 404/);
    const [desk, visitor] = [office.page, producer.page];
    await office.signInForOffline(person);
    await office.open(`/casting/roles/${role.id}`);
    await expect(desk.getByRole('button', { name: 'Share tapes' })).toBeVisible();

    await server.stop();
    await desk.getByRole('button', { name: 'Share tapes' }).click();
    const sheet = desk.getByRole('dialog');
    await sheet.getByLabel('For whom').fill('Anand Rege');
    await sheet.getByLabel('Code').fill('ghost light');
    await expect(sheet.getByLabel('Over the picture')).toHaveValue('Anand Rege');
    await expectAccessible(desk);
    await sheet.getByRole('button', { name: 'Make the link' }).click();
    await expect(sheet.getByText(/It works once it has been sent/)).toBeVisible();
    const address = (await sheet.getByTitle(/\/watch\//).getAttribute('title')) ?? '';
    expect(new URL(address).hash).toMatch(/^#[\da-f]{32}-code$/);
    await server.start();
    await expect(desk.getByText(/It works once it has been sent/)).toHaveCount(0, PATIENCE);
    await desk.keyboard.press('Escape');
    await expect(desk.getByText(/^Works until/)).toBeVisible();

    const { pathname, hash } = new URL(address);
    await producer.open(pathname + hash);
    await visitor.getByLabel('Code').fill('limelight');
    await visitor.getByRole('button', { name: 'Watch' }).click();
    await expect(visitor.getByText(/That is not the code/)).toBeVisible();
    await expectAccessible(visitor);
    await visitor.getByLabel('Code').fill('Ghost light');
    await visitor.getByRole('button', { name: 'Watch' }).click();
    await expect(visitor.getByRole('heading', { name: role.name })).toBeVisible();
    await expect(visitor.getByText('0172 555')).toHaveCount(0);
    await expect(visitor.getByText(/^Anand Rege · /).first()).toBeAttached();
    await expect(visitor.locator('meta[name=robots]').first()).toHaveAttribute('content', 'noindex');
    await expectAccessible(visitor);

    const video = visitor.locator('video');
    await video.evaluate((element: HTMLVideoElement) => {
      element.muted = true;
      element.loop = true;
    });
    await expect(video).not.toHaveAttribute('controls');
    await visitor.keyboard.press('Space');
    await expect(visitor.getByRole('button', { name: 'Pause' })).toBeVisible();
    await expect.poll(() => getWatchedAt(performer), PATIENCE).not.toBeNull();
    // Nothing of it stays on the device of who watched.
    const stored = await visitor.evaluate(async () => {
      const names = await caches.keys();
      const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
      return kept.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(stored.filter((path) => path.startsWith('/watch/'))).toEqual([]);

    await expect(desk.getByText('Opened 1 time')).toBeVisible(PATIENCE);
    // It goes on playing in a tab that nobody looks at.
    await visitor.evaluate(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }));
    await desk.getByRole('button', { name: 'More for the link for Anand Rege' }).click();
    await desk.getByRole('menuitem', { name: 'Revoke' }).click();
    await desk.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(desk.getByText(/^Revoked today/)).toBeVisible(PATIENCE);
    await expect(visitor.getByRole('heading', { name: 'Enter the code' })).toBeVisible({ timeout: 5000 });
    await expect(visitor.locator('video')).toHaveCount(0);
    await visitor.getByLabel('Code').fill('ghost light');
    await visitor.getByRole('button', { name: 'Watch' }).click();
    await expect(visitor.getByText(/the link no longer works/)).toBeVisible();
    await expectAccessible(visitor);
    expect(
      (await fetch(`${server.url}${pathname}`, { headers: { accept: 'text/html' } })).headers.get('x-robots-tag'),
    ).toBe('noindex');
  },
);

/** A link to a tape that has arrived, with its role and its address. */
async function shareTape(url: string, person: Person, code?: string) {
  const { performer, role, request } = await makeAudition(url, person);
  await sendTape(url, performer, request.id, { film: await readFile(FILM) });
  const token = randomBytes(16).toString('hex');
  const toHash = (text: string) => createHash('sha256').update(text).digest('hex');
  const link = await make<ShareLink>(person, '/casting/links', {
    role_id: role.id,
    client_id: randomUUID(),
    name: 'Anand Rege',
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    token_hash: toHash(token),
    code_hash: code === undefined ? null : toHash(toCodeText(token, code)),
    watermark: 'Anand Rege',
  });
  return {
    performer,
    role,
    request,
    link,
    address: `/watch/${link.client_id}#${token}${code === undefined ? '' : '-code'}`,
  };
}

const READ = /\/watch\/[^/?]+$/;
const VIDEO = /\/takes\/.+part=video/;
const SESSION = /\/watch\/[^/]+\/session$/;

const isLoaded = (page: Page) => page.locator('video').evaluate((video: HTMLVideoElement) => video.readyState > 0);
/** Has the page ask at once whether the link still works. */
const show = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

test(
  'a video that cannot be loaded says so once a new address was tried, and is loaded again',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const { address } = await shareTape(server.url, person);
    const device = await newDevice({ isFirstVisit: true });
    device.allowBrowserError(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
    const { page, context } = device;
    const alert = page.getByRole('alert').filter({ hasText: 'This video could not be loaded.' });
    const retry = alert.getByRole('button', { name: 'Try again' });
    let reads = 0;
    page.on('request', (request) => {
      if (READ.test(request.url()) && request.resourceType() === 'fetch') reads += 1;
    });

    // The new address fails as well.
    await context.route(VIDEO, (route) => route.abort());
    await device.open(address);
    await expect(alert).toBeVisible();
    expect(reads).toBe(1);
    await expectAccessible(page);
    await retry.click();
    await expect.poll(() => reads).toBe(2);
    await expect(alert).toBeVisible();
    await context.unroute(VIDEO);
    await retry.click();
    await expect.poll(() => isLoaded(page)).toBe(true);
    await expect(alert).toHaveCount(0);

    // There is no new address.
    await context.route(VIDEO, (route) => route.abort());
    await context.route(READ, (route) =>
      route.request().resourceType() === 'fetch' ? route.abort() : route.continue(),
    );
    await device.open('about:blank');
    await device.open(address);
    await expect(alert).toBeVisible();
    await context.unroute(VIDEO);
    await context.unroute(READ);
    await context.setOffline(true);
    await context.setOffline(false);
    await expect.poll(() => isLoaded(page)).toBe(true);
    await expect(alert).toHaveCount(0);
  },
);

test(
  'a page that was open for longer than its session opens the link again, and asks for a code anew',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const device = await newDevice({ isFirstVisit: true });
    device.allowBrowserError(/status of 404/);
    const { page, context } = device;
    const endSession = async () => {
      await context.route(SESSION, (route) => route.fulfill({ status: 404, json: { message: 'Not found' } }), {
        times: 1,
      });
      const refused = page.waitForResponse(SESSION);
      await show(page);
      await refused;
    };
    const open = await shareTape(server.url, person);
    await device.open(open.address);
    await expect(page.getByRole('heading', { name: open.role.name })).toBeVisible();
    const reopened = page.waitForResponse(/\/open$/);
    await endSession();
    expect((await reopened).status()).toBe(200);
    await show(page);
    await expect(page.getByRole('heading', { name: open.role.name })).toBeVisible();

    expect((await person.call('DELETE', `/casting/links/${open.link.id}`)).status).toBeLessThan(300);
    await show(page);
    await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();

    const coded = await shareTape(server.url, await makePerson(server.url), 'ghost light');
    await device.open(coded.address);
    const enterCode = async () => {
      await page.getByLabel('Code').fill('ghost light');
      await page.getByRole('button', { name: 'Watch' }).click();
      await expect(page.getByRole('heading', { name: coded.role.name })).toBeVisible();
    };
    await enterCode();
    await endSession();
    await enterCode();
  },
);

test(
  'plays no other tape when the one that plays leaves the link',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const { performer, request, address } = await shareTape(server.url, person);
    const device = await newDevice({ isFirstVisit: true });
    const { page } = device;
    await device.open(address);
    await page.getByRole('button', { name: `Play the tape by ${performer.name}` }).click();
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();

    // The performer sends a better one in its place. The address of the first ends, so it fails.
    await sendTape(server.url, performer, request.id, { film: await readFile(FILM) });
    await page.locator('video').dispatchEvent('error');
    await expect(page.getByText('This tape is no longer shared. Choose another one.')).toBeVisible();
    await expect(page.locator('video')).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('listitem').getByRole('button', { name: performer.name }).click();
    await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  },
);
