import type { Page } from '@playwright/test';
import { record } from '#server/demo/recording.ts';
import { sheet } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { openBooth, recordFor } from './support/booth.ts';
import { makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

const lines = (page: Page) => sheet(page, 'Prompter').getByRole('group', { name: 'The other lines' });

/** Makes the page remember the last sound that it played, which is no element of it. */
async function rememberSound(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { play } = HTMLMediaElement.prototype;
    HTMLMediaElement.prototype.play = function (this: HTMLMediaElement) {
      if (this instanceof HTMLAudioElement) Object.assign(window, { sound: this });
      return play.call(this);
    };
  });
}

const readSound = (page: Page) =>
  page.evaluate(() => {
    const { sound } = window as { sound?: HTMLAudioElement };
    return sound ? { isPlaying: !sound.paused, seconds: sound.currentTime } : null;
  });

test(
  'plays the other lines from a file during a take, and pauses them with the text',
  { tag: '@full' },
  async ({ newDevice, person }) => {
    const phone = await newDevice({ ownBrowser: true, hasCamera: true });
    const { page } = phone;
    await makeProfile(person);
    await phone.signInForOffline(person);
    await rememberSound(page);
    await openBooth(page);
    await page.getByRole('button', { name: 'Prompter', exact: true }).click();
    const pick = (file: { name: string; mimeType: string; buffer: Buffer }) =>
      lines(page).getByTestId('cue-file').setInputFiles(file);
    await pick({ name: 'Notes.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('These are no sounds.') });
    await expect(lines(page)).toContainText('This browser can’t play that file.');
    await pick({ name: 'Reader.wav', mimeType: 'audio/wav', buffer: record({ seconds: 60, pitch: 180, seed: 1 }) });
    await expect(lines(page)).toContainText('Reader.wav');
    await expectAccessible(page);
    await sheet(page, 'Prompter').getByRole('button', { name: 'Done' }).click();
    await recordFor(page, 1);
    await expect.poll(async () => (await readSound(page))?.seconds ?? 0).toBeGreaterThan(0.5);
    await page.getByRole('button', { name: 'Pause the lines' }).click();
    await expect.poll(async () => (await readSound(page))?.isPlaying).toBe(false);
    await page.keyboard.press('p');
    await expect.poll(async () => (await readSound(page))?.isPlaying).toBe(true);
    await page.getByRole('button', { name: /^Stop/ }).click();
    await expect(page.getByRole('button', { name: /^Record take 2$/ })).toBeVisible();
    expect((await readSound(page))?.isPlaying).toBe(false);
  },
);

test(
  'keeps lines that were being recorded when the browser ended, and removes them when asked',
  { tag: '@full' },
  async ({ newDevice, person }) => {
    const phone = await newDevice({ ownBrowser: true, hasCamera: true });
    await makeProfile(person);
    await phone.signInForOffline(person);
    await openBooth(phone.page);
    await phone.page.getByRole('button', { name: 'Prompter', exact: true }).click();
    await lines(phone.page).getByRole('button', { name: 'Record them' }).click();
    await expect(lines(phone.page).getByRole('button', { name: /^Stop, 0:1\d/ })).toBeVisible({ timeout: 30_000 });
    await phone.kill();
    await phone.relaunch();
    await openBooth(phone.page);
    await phone.page.getByRole('button', { name: 'Prompter', exact: true }).click();
    const player = lines(phone.page).getByLabel('The other lines');
    const heard = await player.evaluate(async (audio: HTMLAudioElement) => {
      audio.muted = true;
      const end = new Promise((resolve) => audio.addEventListener('ended', resolve));
      const failure = new Promise((resolve) => audio.addEventListener('error', resolve));
      await audio.play();
      await Promise.race([end, failure]);
      return { seconds: audio.currentTime, error: audio.error?.message };
    });
    expect(heard.error).toBeUndefined();
    expect(heard.seconds).toBeGreaterThan(4);
    await lines(phone.page).getByRole('button', { name: 'Remove' }).click();
    await phone.page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
    await expect(player).toHaveCount(0);
    await expect(lines(phone.page).getByRole('button', { name: 'Record them' })).toBeVisible();
  },
);
