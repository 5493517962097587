import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input, type InputTrack } from 'mediabunny';
import { sheet, signOut } from './support/actions.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './support/axe.ts';
import { openBooth, playFromStart, player, recordFor, takeRow } from './support/booth.ts';
import type { Device } from './support/device.ts';
import { makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

const notice = (page: Page) => page.getByRole('complementary', { name: 'Message' });
const SAVED = /Your take of \d+:\d\d was saved \((\d+) s\)/;

async function openReady(device: Device, person: Person): Promise<void> {
  await makeProfile(person);
  await device.signInForOffline(person);
  await openBooth(device.page);
}

/** Kills the browser in the middle of a take, and returns how many seconds the app says were saved. */
async function killAndReopen(phone: Device, person: Person, seconds: number): Promise<number> {
  await openReady(phone, person);
  await recordFor(phone.page, seconds);
  await phone.kill();
  await phone.relaunch();
  await phone.open('/');
  await expect(notice(phone.page)).toContainText(SAVED);
  return Number(SAVED.exec((await notice(phone.page).textContent()) ?? '')?.[1]);
}

test('keeps a take through the sudden end of the browser, also without signal, and says so once', async ({
  newDevice,
  person,
  server,
}) => {
  // The take itself is seven seconds of it, and the browser starts twice.
  test.setTimeout(150_000);
  const phone = await newDevice({ ownBrowser: true, hasCamera: true });
  await openReady(phone, person);
  await expectAccessible(phone.page);
  await server.stop();
  await phone.page.reload();
  await openBooth(phone.page);
  await recordFor(phone.page, 7);
  await phone.kill();
  await phone.relaunch();
  const { page } = phone;
  await phone.open('/');
  await expect(notice(page)).toContainText(SAVED);
  expect(Number(SAVED.exec((await notice(page).textContent()) ?? '')?.[1])).toBeGreaterThanOrEqual(5);
  await notice(page).getByRole('button', { name: 'Show' }).click();
  await expect(takeRow(page, 'Take 1')).toBeVisible();
  const { width, duration } = await playFromStart(page);
  expect(width).toBeGreaterThan(0);
  expect(duration).toBeGreaterThan(4.5);
  await expectAccessibleInBothSchemes(page);
  // A second start has nothing to tell.
  await page.reload();
  await expect(takeRow(page, 'Take 1')).toBeVisible();
  await expect(notice(page)).toHaveCount(0);
});

test(
  'keeps at least 38 of 40 seconds, which play from the first picture',
  { tag: '@full' },
  async ({ newDevice, person }) => {
    test.setTimeout(180_000);
    const phone = await newDevice({ ownBrowser: true, hasCamera: true });
    expect(await killAndReopen(phone, person, 40)).toBeGreaterThanOrEqual(38);
    await phone.open('/booth/takes');
    const { width, duration } = await playFromStart(phone.page);
    expect(width).toBeGreaterThan(0);
    expect(duration).toBeGreaterThanOrEqual(38);
  },
);

/** The SHA-256 of each packet of a track, in order. */
async function getDigests(track: InputTrack | null): Promise<string[]> {
  const digests: string[] = [];
  if (track === null) return digests;
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    digests.push(createHash('sha256').update(data).digest('hex'));
  }
  return digests;
}

/** Reads the recording of the only take, as it lies on the disk. */
async function readRecording(page: Page): Promise<Uint8Array> {
  const text = await page.evaluate(async () => {
    let folder = await navigator.storage.getDirectory();
    for (const _ of ['takes', 'account', 'take']) {
      const [name] = await Array.fromAsync(folder.keys());
      folder = await folder.getDirectoryHandle(name!);
    }
    const file = await (await folder.getFileHandle('raw.mp4')).getFile();
    const bytes = new Uint8Array(await file.arrayBuffer());
    return bytes.toBase64();
  });
  return Buffer.from(text, 'base64');
}

const openFile = (bytes: Uint8Array) => new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) });

test(
  'trims without touching a picture, and saves an MP4 with AAC and its index in front',
  { tag: '@full' },
  async ({ newDevice, person, server }) => {
    test.setTimeout(180_000);
    const phone = await newDevice({ ownBrowser: true, hasCamera: true });
    const { page } = phone;
    await openReady(phone, person);
    await recordFor(page, 12);
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByRole('button', { name: '1 take' }).click();
    await expect(takeRow(page, 'Take 1')).toBeVisible();
    for (let n = 0; n < 3; n += 1) await page.getByRole('slider', { name: 'In' }).press('PageUp');
    await page.getByRole('slider', { name: 'Out' }).press('PageDown');
    await expect(page.getByText(/0:03\.0 to /)).toBeVisible();
    // Everything that is needed was fetched while the booth was open.
    await page.waitForLoadState('networkidle');
    await server.stop();

    await page.getByRole('button', { name: 'More for Take 1' }).click();
    await page.getByRole('menuitem', { name: 'Save as file' }).click();
    const download = page.waitForEvent('download');
    await sheet(page, 'The MP4 is ready').getByRole('button', { name: 'Save file' }).click({ timeout: 60_000 });
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('Take 1.mp4');
    const bytes = await readFile(await saved.path());
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));

    const copy = openFile(bytes);
    const original = openFile(await readRecording(page));
    expect(await (await copy.getPrimaryAudioTrack())?.getCodec()).toBe('aac');
    const pictures = await copy.getPrimaryVideoTrack();
    expect(await pictures?.getCodec()).toBe('avc');
    const kept = await getDigests(pictures);
    const all = await getDigests(await original.getPrimaryVideoTrack());
    const from = all.indexOf(kept[0]!);
    expect(from).toBeGreaterThan(0);
    expect(kept).toEqual(all.slice(from, from + kept.length));
    // It begins with the last key picture before the in point, so it is longer by less than a group of pictures.
    const wanted = Number(/· ([\d.]+) s/.exec((await page.getByText(/0:03\.0 to /).textContent()) ?? '')?.[1]);
    const length = await copy.computeDuration();
    expect(length).toBeGreaterThan(wanted - 0.2);
    expect(length).toBeLessThan(wanted + 1.6);
  },
);

test(
  'makes H.264 of a recording of another kind, as Firefox makes it',
  { tag: '@full' },
  async ({ newDevice, person }) => {
    test.setTimeout(120_000);
    const phone = await newDevice({ ownBrowser: true, hasCamera: true });
    const { page } = phone;
    await page.addInitScript(() => {
      const { isTypeSupported } = MediaRecorder;
      MediaRecorder.isTypeSupported = (type) => !/mp4|h264/.test(type) && isTypeSupported(type);
    });
    await openReady(phone, person);
    await recordFor(page, 4);
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByRole('button', { name: '1 take' }).click();
    await page.getByRole('slider', { name: 'In' }).press('PageUp');
    await page.getByRole('button', { name: 'More for Take 1' }).click();
    await page.getByRole('menuitem', { name: 'Save as file' }).click();
    const download = page.waitForEvent('download');
    await sheet(page, 'The MP4 is ready').getByRole('button', { name: 'Save file' }).click({ timeout: 60_000 });
    const copy = openFile(await readFile(await (await download).path()));
    expect(await (await copy.getPrimaryVideoTrack())?.getCodec()).toBe('avc');
    expect(await (await copy.getPrimaryAudioTrack())?.getCodec()).toBe('aac');
    const seconds = await copy.computeDuration();
    expect(seconds).toBeGreaterThan(2.3);
    expect(seconds).toBeLessThan(4.2);
  },
);

test(
  'ends a take when the camera is unplugged, and offers a way on',
  { tag: '@full' },
  async ({ newDevice, person }) => {
    const phone = await newDevice({ ownBrowser: true, hasCamera: true });
    const { page } = phone;
    await page.addInitScript(() => {
      const { getUserMedia } = MediaDevices.prototype;
      MediaDevices.prototype.getUserMedia = async function (constraints) {
        const stream = await getUserMedia.call(this, constraints);
        addEventListener('test:unplug', () => {
          for (const track of stream.getVideoTracks()) {
            track.stop();
            track.dispatchEvent(new Event('ended'));
          }
        });
        return stream;
      };
    });
    await openReady(phone, person);
    await recordFor(page, 3);
    await page.evaluate(() => dispatchEvent(new Event('test:unplug')));
    await expect(page.getByRole('alert').filter({ hasText: 'The take is kept.' })).toContainText(
      /Stopped at 0:0\d because the camera was unplugged or taken by a call\./,
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('button', { name: 'Record take 2' })).toHaveAttribute('aria-disabled', 'false');
  },
);

test('says how to allow a refused camera', { tag: '@full' }, async ({ phone, person }) => {
  await makeProfile(person);
  await phone.signInAs(person);
  await phone.open('/booth');
  const alert = phone.page.getByRole('alert');
  await expect(alert).toContainText(/The camera is not allowed|No camera or no microphone/);
  await expect(alert.getByRole('button', { name: 'Try again' })).toBeVisible();
  await expectAccessible(phone.page);
  await alert.getByRole('link', { name: 'Pick a video instead' }).click();
  await expect(sheet(phone.page, 'Add videos').getByRole('link', { name: 'Record a take' })).toBeVisible();
});

test(
  'stars, renames, adds to the portfolio and deletes a take, and asks at sign-out',
  { tag: '@full' },
  async ({ newDevice, person }) => {
    test.setTimeout(120_000);
    const phone = await newDevice({ ownBrowser: true, hasCamera: true });
    const { page } = phone;
    await openReady(phone, person);
    await recordFor(page, 3);
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByRole('button', { name: '1 take' }).click();
    const menu = async (item: string, name = 'Take 1') => {
      await page.getByRole('button', { name: `More for ${name}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await page.getByRole('group', { name: 'Stars for Take 1' }).getByRole('button', { name: '4 stars' }).click();
    await expect(takeRow(page, 'Take 1').getByRole('img', { name: '4 of 5 stars' })).toBeVisible();
    await menu('Rename');
    await sheet(page, 'Rename take').getByRole('textbox', { name: 'Name' }).fill('Naseem');
    await sheet(page, 'Rename take').getByRole('button', { name: 'Save' }).click();
    await expect(takeRow(page, 'Naseem')).toBeVisible();

    await menu('Add to portfolio', 'Naseem');
    const adding = sheet(page, 'Add videos');
    await expect(adding).toContainText('Safe on this phone', { timeout: 30_000 });
    await adding.getByRole('button', { name: 'Save' }).click();
    await expect(sheet(page, 'Your videos')).toContainText('Saved Successfully!', { timeout: 30_000 });
    await sheet(page, 'Your videos').getByRole('button', { name: 'Got it!' }).click();

    await signOut(page);
    const question = page.getByRole('alertdialog', { name: '1 take on this phone' });
    await question.getByRole('button', { name: 'Stay signed in' }).click();
    await page.goto('/booth/takes');
    await menu('Delete', 'Naseem');
    await page.getByRole('alertdialog', { name: 'Delete Naseem?' }).getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('heading', { name: 'No takes yet' })).toBeVisible();
    await expect(player(page)).toHaveCount(0);
    await signOut(page);
    await expect(page).toHaveURL(/\/login$/);
  },
);
