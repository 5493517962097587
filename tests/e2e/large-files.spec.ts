import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { PINNED_CACHE } from '#lib/stored-media.ts';
import { LARGE_FILE_BYTES } from '#lib/mobile-data.ts';
import { mp4 } from '../server/support/media-files.ts';
import { tus } from '../server/support/files.ts';
import { card, openSignedIn, openAdd, openWaiting, row, sheet } from './support/actions.ts';
import type { Device } from './support/device.ts';
import { buildFilm, encodeSecond } from './support/film.ts';
import { makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

const MB = 1024 * 1024;

/** Stubs what the browser knows of its connection. Changed by `moveTo`. */
function stubConnection(type: string | undefined) {
  const connection = Object.assign(new EventTarget(), { type });
  Object.defineProperty(navigator, 'connection', { value: connection });
}
const moveTo = (page: Page, type: string) =>
  page.evaluate((next) => {
    const { connection } = navigator as unknown as { connection: EventTarget & { type?: string } };
    connection.type = next;
    connection.dispatchEvent(new Event('change'));
  }, type);

const wifiSwitch = (page: Page) => card(page, 'Large files').getByRole('switch');

/** Picks a video that is just large enough to wait for Wi-Fi, and saves it. */
async function addLargeVideo(page: Page): Promise<void> {
  await openAdd(page, 'Videos');
  const file = test.info().outputPath('tape.mp4');
  await writeFile(file, mp4({ pictures: randomBytes(LARGE_FILE_BYTES) }));
  await page.getByTestId('file-picker').setInputFiles(file);
  const form = sheet(page, 'Add videos');
  await expect(form.getByText(/^Safe on this/)).toBeVisible({ timeout: 20_000 });
  await form.getByRole('button', { name: 'Save' }).click();
  await sheet(page, 'Your videos').getByRole('button', { name: 'Got it!' }).click();
}

/** Opens a phone on mobile data whose user sends large files only on Wi-Fi, with such a file waiting. */
async function openWaitingPhone(device: Device, person: Person): Promise<Page> {
  // Twenty megabytes are copied, sent and checked.
  test.slow();
  await makeProfile(person);
  await device.context.addInitScript(stubConnection, 'cellular');
  await device.signInAs(person);
  await device.open('/settings');
  // It shows what is stored, so it changes a moment later.
  await wifiSwitch(device.page).click();
  await expect(wifiSwitch(device.page)).toBeChecked();
  await openSignedIn(device.page, person);
  await addLargeVideo(device.page);
  await openWaiting(device.page);
  await expect(row(device.page, 'tape')).toContainText('Waiting for Wi-Fi');
  await expect(device.page.getByText('It will send when you’re on Wi-Fi.')).toBeVisible();
  return device.page;
}

test(
  'a large video waits for Wi-Fi and says so, until its owner sends it anyway',
  { tag: '@full' },
  async ({ newDevice, person }) => {
    const page = await openWaitingPhone(await newDevice({ isFirstVisit: true }), person);
    await row(page, 'tape').getByRole('button', { name: 'Send now anyway' }).click();
    await expect(page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible({ timeout: 90_000 });
  },
);

test('a large video is sent by itself once the phone is on Wi-Fi', { tag: '@full' }, async ({ newDevice, person }) => {
  const page = await openWaitingPhone(await newDevice({ isFirstVisit: true }), person);
  await moveTo(page, 'wifi');
  await expect(page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible({ timeout: 90_000 });
});

test('the switch says where the browser cannot tell', { tag: '@full' }, async ({ newDevice, person }) => {
  await makeProfile(person);
  const device = await newDevice({ isFirstVisit: true });
  await device.context.addInitScript(stubConnection, undefined);
  await device.signInAs(person);
  await device.open('/settings');
  await expect(card(device.page, 'Large files')).toContainText('does not tell Callboard');
  await expect(wifiSwitch(device.page)).toBeDisabled();
});

/** Adds a film to the portfolio without a browser. @returns its path on the server */
async function upload(url: string, person: Person, profileId: string | number, film: Buffer): Promise<string> {
  const id = randomUUID();
  const calls = tus(url, person);
  expect((await calls.create(id, film.length)).status).toBe(201);
  expect((await calls.patch(id, 0, new Uint8Array(film))).status).toBe(204);
  const { status, body } = await person.call<{ files: { path: string }[] }>('POST', '/submit/media-form', {
    ...{ profile_id: String(profileId), media_type: 'video', name: 'Tape', upload_ids: [id] },
  });
  expect([status, body.files.length]).toEqual([201, 1]);
  return body.files[0]!.path;
}

/** Plays a file as the app does, and returns how long it takes to its first frame, and how it was fetched. */
async function measureFirstFrame(page: Page, address: string): Promise<{ ms: number; ranges: number[] }> {
  const ranges: number[] = [];
  const note = (response: { url(): string; headers(): Record<string, string> }) => {
    const first = /^bytes (\d+)-/.exec(response.headers()['content-range'] ?? '')?.[1];
    if (response.url().endsWith(address) && first !== undefined) ranges.push(Number(first));
  };
  page.on('response', note);
  const ms = await page.evaluate(async (source) => {
    const video = document.createElement('video');
    video.muted = true;
    document.body.append(video);
    const startedAt = performance.now();
    const shown = new Promise<number>((resolve, reject) => {
      video.requestVideoFrameCallback(() => resolve(performance.now() - startedAt));
      video.onerror = () => reject(new Error(video.error?.message));
    });
    video.src = source;
    await video.play();
    const took = await shown;
    video.remove();
    return took;
  }, address);
  page.off('response', note);
  return { ms, ranges };
}

test(
  'a large film shows its first frame after one request if its index is in front',
  { tag: '@full' },
  async ({ newDevice, person, server }) => {
    test.setTimeout(240_000);
    const profile = await makeProfile(person);
    const device = await newDevice();
    await device.signInForOffline(person);
    const second = await encodeSecond(device.page);
    const session = await device.context.newCDPSession(device.page);
    for (const index of ['in front', 'at the end'] as const) {
      const address = await upload(server.url, person, profile.id, buildFilm(second, 32 * MB, index));
      const times: number[] = [];
      for (let run = 0; run < 3; run += 1) {
        // A page keeps what it has played, and the browser what it has fetched.
        const page = await device.newTab();
        await page.goto('/privacy');
        await session.send('Network.clearBrowserCache');
        const { ms, ranges } = await measureFirstFrame(page, address);
        times.push(Math.round(ms));
        // With the index at the end, the player asks for the end before it can show anything.
        if (index === 'in front') expect(ranges).toEqual([0]);
        else expect(ranges.some((first) => first > 30 * MB)).toBe(true);
        await page.close();
      }
      test.info().annotations.push({ type: `first frame, index ${index}, ms`, description: times.join(', ') });
    }
  },
);

/** Shows the beginning of a film, waits until the whole of it is on the device, and jumps. @returns what the player makes of that */
async function jumpOnceStored(device: Device, address: string, isPinned: boolean): Promise<string> {
  const { page } = device;
  await page.goto('/privacy');
  const film = { source: address, pinnedCache: isPinned ? PINNED_CACHE : null };
  return page.evaluate(async ({ source, pinnedCache }) => {
    const video = document.createElement('video');
    Object.assign(video, { muted: true, preload: 'metadata', src: source });
    document.body.append(video);
    // The first part came from the server. Once the whole film is stored, the worker answers the next one.
    await new Promise((resolve) => video.addEventListener('loadedmetadata', resolve, { once: true }));
    if (pinnedCache !== null) {
      const pinned = await caches.open(pinnedCache);
      await pinned.put(source, await fetch(source, { cache: 'no-store' }));
    }
    const isStored = async () => (await caches.match(source)) !== undefined;
    while (!(await isStored())) await new Promise((resolve) => requestAnimationFrame(resolve));
    return new Promise<string>((resolve) => {
      video.onerror = () => resolve(video.error?.message ?? 'failed');
      video.onseeked = () => resolve('plays on');
      video.currentTime = video.duration - 2;
    });
  }, film);
}

for (const [what, size, tag] of [
  ['was stored meanwhile', 8 * MB, []],
  ['was pinned meanwhile and is too large for the cache', 34 * MB, ['@full']],
] as const) {
  test(
    `goes on with a film that ${what}, wherever its viewer jumps`,
    { tag: [...tag] },
    async ({ newDevice, person, server }) => {
      const profile = await makeProfile(person);
      const device = await newDevice();
      await device.signInForOffline(person);
      const film = buildFilm(await encodeSecond(device.page), size, 'in front');
      const address = await upload(server.url, person, profile.id, film);
      expect(await jumpOnceStored(device, address, size > 30 * MB)).toBe('plays on');
    },
  );
}
