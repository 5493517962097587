import type { Page } from '@playwright/test';
import { enter, openAdd, openWaiting, pickPhotos, sheet } from './support/acts.ts';
import { makeProfile } from './support/people.ts';
import { heavyPicture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

/** What a phone has on a good day. */
const UPLINK_BYTES_PER_SECOND = 1_000_000;

/** Writes down every value that a progress bar of this page ever shows. */
async function watchProgress(page: Page): Promise<() => Promise<number[]>> {
  const seen = await page.evaluateHandle(() => {
    const values: number[] = [];
    const look = () => {
      const now = document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow');
      if (now !== null && now !== undefined && values.at(-1) !== Number(now)) values.push(Number(now));
    };
    look();
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    return values;
  });
  return () => seen.jsonValue();
}

/** Counts the locks that keep the screen on: how many are held, and how many ever were. */
function countAwake() {
  const awake = { held: 0, ever: 0 };
  const request = async () => {
    awake.held += 1;
    awake.ever += 1;
    return { released: false, release: async () => void (awake.held -= 1) };
  };
  Object.defineProperty(navigator, 'wakeLock', { value: { request } });
  Object.assign(window, { awake });
}

test('ten megabytes cut three times inside a piece go on where they stopped', async ({ person, wire, newDevice }) => {
  await makeProfile(person);
  const phone = await newDevice({ url: wire.url });
  const { page } = phone;
  await phone.context.addInitScript(countAwake);
  await enter(page, person);
  const photo = await heavyPicture('night-shoot.png');
  expect(photo.buffer.length).toBeGreaterThan(9_500_000);

  await openAdd(page, 'Photos');
  await pickPhotos(page, [photo]);
  const form = sheet(page, 'Add photos');
  await expect(form.getByText(/^Safe on this/)).toBeVisible({ timeout: 20_000 });
  await expect(form.getByLabel('Name')).toHaveValue('night-shoot');

  const before = wire.sentBytes();
  wire.slowTo(UPLINK_BYTES_PER_SECOND);
  wire.cutAfter(700_000, 2_100_000, 3_300_000);
  await form.getByRole('button', { name: 'Save' }).click();
  await sheet(page, 'Your photos').getByRole('button', { name: 'Got it!' }).click();
  await openWaiting(page);
  const progress = await watchProgress(page);
  await expect(page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible({ timeout: 60_000 });
  expect(wire.cuts()).toBe(3);
  // The browser itself repeats a request on a line that died, and is told that those bytes are there or on their way.
  phone.expectTrouble(/status of 4(09|23)/);

  // Everything else that was said on the wire counts as sent again, too.
  const again = wire.sentBytes() - before - photo.buffer.length;
  expect(again).toBeGreaterThanOrEqual(0);
  expect(again / photo.buffer.length).toBeLessThanOrEqual(0.05);

  // The screen stayed on for it, and may sleep again.
  const awake = () => page.evaluate(() => (window as unknown as { awake: { held: number; ever: number } }).awake);
  await expect.poll(async () => (await awake()).held).toBe(0);
  expect((await awake()).ever).toBeGreaterThan(0);

  const values = await progress();
  expect(values.length).toBeGreaterThan(3);
  expect(values).toEqual([...values].sort((a, b) => a - b));

  const { body } = await person.call<{ name: string; width: number }[]>('GET', '/media');
  expect(body).toMatchObject([{ name: 'night-shoot', width: 1800, height: 1800 }]);
});
