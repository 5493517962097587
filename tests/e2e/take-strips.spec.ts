import type { Locator } from '@playwright/test';
import sharp from 'sharp';
import { TAKE_STRIP } from '#contract/casting/take-strip.ts';
import type { SyncPage } from '#contract/records/sync.ts';
import { tapeRecord } from '#contract/records/tapes.ts';
import { FILM, makeAudition, sendTape } from './support/casting.ts';
import type { Device } from './support/device.ts';
import type { Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Sends a video from the phone of a performer. */
async function sendFromPhone(phone: Device, performer: Person): Promise<void> {
  await phone.signInForOffline(performer);
  await phone.open('/auditions');
  await phone.page.getByRole('link', { name: /Naseem/ }).click();
  await phone.page.getByRole('button', { name: 'Send a tape' }).click();
  await phone.page.getByTestId('takes').setInputFiles(FILM);
  await phone.page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send \d/ })
    .click({ timeout: 60_000 });
  await expect(phone.page.getByRole('heading', { name: 'Finished in time' })).toBeVisible();
}

/** Where the server has the frames of the take that a performer sent. */
async function getStripPath(performer: Person): Promise<string | null> {
  const { body } = await performer.call<SyncPage>('GET', '/sync');
  const tape = body.records.find(({ type }) => type === 'tape');
  return tape ? tapeRecord.parse(tape.body).takes[0]!.strip_path : null;
}

/** Moves the mouse to a place of a tile, as a share of its width. */
async function moveOver(tile: Locator, place: number): Promise<void> {
  const { x, y, width, height } = (await tile.boundingBox())!;
  await tile.page().mouse.move(x + width * place, y + height / 4);
}

test(
  'shows frames of a take, made on the phone, to whoever moves over its tile',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(180_000);
    const { performer, role } = await makeAudition(server.url, person);
    await sendFromPhone(await newDevice(), performer);
    await expect.poll(() => getStripPath(performer), { timeout: 60_000 }).not.toBeNull();
    const stripPath = (await getStripPath(performer))!;

    const desk = await newDevice({ shape: 'desktop' });
    const { page } = desk;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await desk.signInForOffline(person);
    await desk.open(`/casting/roles/${role.id}`);
    const tile = page.getByRole('button', { name: `Open the tape by ${performer.name}` });
    const frame = tile.locator('[data-frame]');
    await expect(tile.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
    await tile.scrollIntoViewIfNeeded();
    const box = await tile.boundingBox();
    const label = await tile.getAttribute('aria-label');
    expect(asked).not.toContain(stripPath);

    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await moveOver(tile, 0.1);
    await expect(frame).toHaveAttribute('data-frame', '0');
    const strip = frame.locator('img');
    await expect(strip).not.toHaveJSProperty('naturalWidth', 0);
    const [width, height] = await strip.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]);
    expect([width, height]).toEqual([TAKE_STRIP.frames * TAKE_STRIP.edgePx, 90]);
    expect(asked).toContain(stripPath);
    await moveOver(tile, 0.95);
    await expect(frame).toHaveAttribute('data-frame', '5');
    // One frame fills the tile, and only that.
    const [tileBox, stripBox] = [await tile.boundingBox(), await strip.boundingBox()];
    expect(stripBox!.width).toBeCloseTo(tileBox!.width * TAKE_STRIP.frames, 0);
    expect(stripBox!.x + stripBox!.width).toBeCloseTo(tileBox!.x + tileBox!.width, 0);
    expect([tileBox, await tile.getAttribute('aria-label')]).toEqual([box, label]);
    await page.mouse.move(0, 0);
    await expect(frame).toHaveCount(0);

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await moveOver(tile, 0.5);
    await expect(frame).toHaveCount(0);
    // Keys are pressed on purpose.
    await tile.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(frame).toHaveAttribute('data-frame', '1');
    await tile.blur();
    await expect(frame).toHaveCount(0);
  },
);

test(
  'shows frames of a take to a finger that is dragged along its tile, and opens nothing',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(180_000);
    const { performer, role, request } = await makeAudition(server.url, person);
    const strip = await sharp({ create: { width: 960, height: 90, channels: 3, background: '#a33' } })
      .jpeg()
      .toBuffer();
    await sendTape(server.url, performer, request.id, { strip });
    const phone = await newDevice();
    const { page } = phone;
    await phone.signInForOffline(person);
    await phone.open(`/casting/roles/${role.id}`);
    const tile = page.getByRole('button', { name: `Open the tape by ${performer.name}` });
    const frame = tile.locator('[data-frame]');
    await tile.scrollIntoViewIfNeeded();
    const { x, y, width, height } = (await tile.boundingBox())!;
    const session = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', place?: number) => {
      const touchPoints = place === undefined ? [] : [{ x: x + width * place, y: y + height / 4 }];
      return session.send('Input.dispatchTouchEvent', { type, touchPoints });
    };
    await touch('touchStart', 0.2);
    await touch('touchMove', 0.22);
    await expect(frame).toHaveCount(0);
    for (const place of [0.3, 0.5, 0.7]) await touch('touchMove', place);
    await expect(frame).toHaveAttribute('data-frame', '4');
    await touch('touchEnd');
    await expect(frame).toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    // A tap right after a drag only ends its momentum, as with any page that is flung.
    await expect(async () => {
      await tile.tap({ timeout: 2000 });
      await expect(page.getByRole('dialog')).toBeVisible({ timeout: 2000 });
    }).toPass({ timeout: 20_000 });
  },
);
