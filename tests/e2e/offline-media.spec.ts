import type { Locator, Page } from '@playwright/test';
import { card, chooseFromRowMenu, row } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { addDocument, addPhoto, addRecording, addVideo, addYouTube } from './support/media-factory.ts';
import { getProfilePath, makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** The worker's status and byte count for a range request of a stored file. */
const fetchRange = (page: Page, path: string) =>
  page.evaluate(async (at) => {
    const answer = await fetch(at, { headers: { Range: 'bytes=0-3' } });
    return [answer.status, (await answer.arrayBuffer()).byteLength];
  }, path);

const getPinButton = (page: Page | Locator, name: string) => page.getByRole('button', { name: `Keep ${name} offline` });

async function togglePagePin(page: Page, owner: Person, isPinned: boolean): Promise<void> {
  await page.getByRole('button', { name: `Share ${owner.name}` }).click();
  await page.getByRole('switch', { name: 'Keep offline' }).click();
  // Shown only once everything is stored.
  await expect(page.getByText(/with its media until you switch this off/)).toBeVisible({ visible: isPinned });
  await page.keyboard.press('Escape');
}

test(
  'plays the videos and recordings of a pinned page offline, until they are unpinned',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const owner = await makePerson(server.url);
    const profileId = String((await makeProfile(owner)).id);
    const { path: film } = await addVideo(owner, server.url, profileId, 'Reel');
    const { path: reel } = await addRecording(owner, server.url, profileId, 'Voice');
    await makeProfile(person);
    const device = await newDevice({ ownBrowser: true });
    await device.signInForOffline(person);
    await device.open(await getProfilePath(owner, profileId));
    await togglePagePin(device.page, owner, true);

    await server.stop();
    await device.close();
    await device.relaunch();
    await device.open('/settings');
    const { page } = device;
    expect(await fetchRange(page, film)).toEqual([206, 4]);
    expect(await fetchRange(page, reel)).toEqual([206, 4]);

    const kept = card(page, 'Kept on this phone');
    await expect(kept).toContainText('in 2 files');
    await kept.getByText('100 MB').click();
    await kept.getByRole('button', { name: 'Remove all offline media' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(kept).toContainText('Nothing is kept offline yet.');
    await page.reload();
    await expect(kept.getByRole('radio', { name: '100 MB' })).toBeChecked();
    await expect(fetchRange(page, film)).rejects.toThrow(/Failed to fetch/);
  },
);

test('plays and opens the owner’s pinned media offline, until they are unpinned', async ({
  server,
  person,
  ownPhone: device,
}) => {
  const profileId = String((await makeProfile(person)).id);
  const { path: voice } = await addRecording(person, server.url, profileId, 'Voice');
  await addDocument(person, server.url, profileId, 'CV');
  await addYouTube(person, server.url, profileId, 'Trailer');
  await device.signInForOffline(person);
  await device.open('/media');
  for (const name of ['Voice', 'CV']) {
    const item = row(device.page, new RegExp(`^${name}|PDF${name}`)).first();
    await chooseFromRowMenu(device.page, item, 'Keep offline');
    await expect(item.getByText('Kept')).toBeVisible();
  }
  // A link has no file to store, and says so.
  await device.page.getByRole('button', { name: 'More for Trailer' }).click();
  await expect(device.page.getByText('Only plays online.')).toBeVisible();
  await expect(device.page.getByRole('menuitem', { name: 'Keep offline' })).toHaveCount(0);

  await server.stop();
  await device.close();
  await device.relaunch();
  await device.open('/media');
  const { page, context } = device;
  await page.getByRole('button', { name: 'Play Voice' }).click();
  await expect(page.getByRole('slider', { name: 'Seek in Voice' })).toHaveAttribute('aria-valuenow', /^[1-9]/);
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('button', { name: 'CV, PDF' }).click(),
  ]);
  // From the bytes in the page, in the browser's own viewer.
  await tab.waitForURL(/^blob:/);
  expect(await tab.evaluate(() => document.contentType)).toBe('application/pdf');
  await tab.close();

  expect(await fetchRange(page, voice)).toEqual([206, 4]);
  await chooseFromRowMenu(page, row(page, /^Voice/).first(), 'Remove from offline');
  await expect(page.getByRole('complementary', { name: 'Message' })).toHaveText(/^Voice is no longer kept/);
  await expect(fetchRange(page, voice)).rejects.toThrow(/Failed to fetch/);
  await page.reload();
  await page.getByRole('button', { name: 'Play Voice' }).click();
  await expect(page.getByText('Go online to play this.')).toBeVisible();
  await device.open('/settings');
  await expect(card(page, 'Kept on this phone')).toContainText('in 1 file.');
});

test(
  'keeps an item pinned by itself after its page is unpinned, and leaves out an item unpinned from a pinned page',
  { tag: '@full' },
  async ({ server, person, ownPhone: device }) => {
    const owner = await makePerson(server.url);
    const profileId = String((await makeProfile(owner)).id);
    const { path: first } = await addRecording(owner, server.url, profileId, 'First');
    const { path: second } = await addRecording(owner, server.url, profileId, 'Second');
    await addPhoto(owner, server.url, profileId, 'Third');
    await makeProfile(person);
    await device.signInForOffline(person);
    const address = await getProfilePath(owner, profileId);
    await device.open(address);
    let { page } = device;
    await getPinButton(page, 'First').click();
    await expect(row(page, 'First').getByText('Kept')).toBeVisible();
    await expect(getPinButton(page, 'First')).toHaveAttribute('aria-pressed', 'true');
    await togglePagePin(page, owner, true);
    await expect(page.getByText('Kept', { exact: true })).toHaveCount(3);
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await overflow()).toBeLessThanOrEqual(0);
    await getPinButton(page, 'Second').click();
    await expect(page.getByText('Kept', { exact: true })).toHaveCount(2);
    // When it is opened again, a pinned page fetches its new media, but not the unpinned ones.
    await page.reload();
    await expect(page.getByText('Kept', { exact: true })).toHaveCount(2);
    await page.getByRole('button', { name: `Share ${owner.name}` }).click();
    await expect(page.getByText(/Not all of its media is here/)).toBeVisible();
    await page.getByRole('button', { name: 'Download the rest' }).click();
    await expect(page.getByText(/with its media until you switch this off/)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByText('Kept', { exact: true })).toHaveCount(3);
    await getPinButton(page, 'Second').click();
    await expect(page.getByText('Kept', { exact: true })).toHaveCount(2);
    await togglePagePin(page, owner, false);
    await expect(page.getByText('Kept', { exact: true })).toHaveCount(1);

    await server.stop();
    await device.close();
    await device.relaunch();
    ({ page } = device);
    await device.open(address);
    await expect(row(page, 'First').getByText('Kept')).toBeVisible();
    expect(await fetchRange(page, first)).toEqual([206, 4]);
    await expect(fetchRange(page, second)).rejects.toThrow(/Failed to fetch/);
  },
);

test(
  'lists a photo pinned in the lightbox under Saved, and leads to Settings when the offline space is full',
  { tag: '@full' },
  async ({ server, person, phone }) => {
    const owner = await makePerson(server.url);
    const profileId = String((await makeProfile(owner)).id);
    await addPhoto(owner, server.url, profileId, 'Night');
    await makeProfile(person);
    await phone.signInForOffline(person);
    const { page } = phone;
    await page.evaluate(async () => {
      localStorage.setItem('keep-budget', String(100 * 1024 * 1024));
      const shelf = await caches.open('kept-media');
      const headers = { 'Content-Length': String(100 * 1024 * 1024 - 10) };
      await shelf.put('/storage/film-of-a-hundred-megabytes', new Response('film', { headers }));
    });
    await phone.open(await getProfilePath(owner, profileId));
    await page.getByRole('button', { name: 'Save Night', exact: true }).click();
    await getPinButton(page, 'Night').click();
    await expect(page.getByRole('complementary', { name: 'Message' })).toContainText('more than the space you set');
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const room = card(page, 'Kept on this phone');
    await room.getByText('500 MB').click();
    await page.goBack();
    await page.getByRole('img', { name: 'Night' }).click();
    await getPinButton(page.getByRole('dialog'), 'Night').click();
    await expect(page.getByRole('complementary', { name: 'Message' })).toHaveText('Night is kept on this phone');

    await server.stop();
    await phone.open('/saved');
    const saved = row(card(page, 'Saved media'), 'Night');
    await expect(saved.getByText('Kept')).toBeVisible();
    await saved.getByRole('link').click();
    await expect(page.getByRole('dialog', { name: /Night/ }).getByRole('img', { name: 'Night' })).toHaveJSProperty(
      'complete',
      true,
    );
    await phone.open('/saved');
    await getPinButton(page, 'Night').click();
    await expect(saved.getByText('Kept')).toHaveCount(0);
  },
);

/** URLs of the files that the worker cached without pinning. */
const getCachedUrls = (page: Page) =>
  page.evaluate(async () => {
    const requests = await (await caches.open('stored-media')).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  });

test('caches pictures and the own portfolio’s media on the first visit, for an offline start', async ({
  server,
  person,
  newDevice,
}) => {
  const phone = await newDevice({ isFirstVisit: true });
  const profileId = String((await makeProfile(person)).id);
  const { path: voice } = await addRecording(person, server.url, profileId, 'Voice');
  await addPhoto(person, server.url, profileId, 'On stage');
  const { page } = phone;
  await phone.signInForOffline(person);
  const tile = page.getByRole('img', { name: 'On stage' });
  await expect(tile).toHaveJSProperty('complete', true);
  const shown = await tile.evaluate((picture: HTMLImageElement) => new URL(picture.currentSrc).pathname);
  await expect.poll(() => getCachedUrls(page)).toEqual(expect.arrayContaining([voice, shown]));

  // A recording that was just sent is fetched too: the device drops its bytes once the server has acknowledged it.
  const { path: second } = await addRecording(person, server.url, profileId, 'Second voice');
  await page.reload();
  await expect.poll(() => getCachedUrls(page)).toContain(second);

  await server.stop();
  await phone.open('/media');
  await page.getByRole('button', { name: 'Play Second voice' }).click();
  await expect(page.getByRole('slider', { name: 'Seek in Second voice' })).toHaveAttribute('aria-valuenow', /^[1-9]/);
  await phone.open('/');
  await expect(tile).toHaveJSProperty('complete', true);
  expect(await tile.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBeGreaterThan(0);
});
