import { expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { submitMedia } from '../e2e/support/media-factory.ts';
import type { BrowserUser } from './browser.ts';
import { makeUndecodableVideo, encodeMedia } from './recordings.ts';
import { signIn, test } from './fixture.ts';

const expectPlaybackAdvances = (browser: BrowserUser, name: string) =>
  browser.waitFor(
    `${name} advances`,
    (label) => Number(document.querySelector(`[aria-label="Seek in ${label}"]`)?.getAttribute('aria-valuenow')) > 0,
    name,
  );

test('plays recordings and a video, and reports a video that it cannot decode', async ({ setup }) => {
  const { browser, server, performer, profileId, folder } = setup;
  const send = (media_type: string, name: string, file: string, type: string, bytes: Buffer) =>
    submitMedia(performer, server.url, { profile_id: profileId, media_type, name }, { name: file, type, bytes });
  await send('audio', 'Memo', 'memo.m4a', 'audio/x-m4a', await readFile(await encodeMedia(folder, 'memo.m4a')));
  await send('audio', 'Radio', 'radio.mp3', 'audio/mpeg', await readFile(await encodeMedia(folder, 'radio.mp3')));
  await send('video', 'Reel', 'scene.mp4', 'video/mp4', await readFile(await encodeMedia(folder, 'scene.mp4')));
  await send('video', 'Tape', 'tape.mp4', 'video/mp4', await makeUndecodableVideo(folder));
  await signIn(setup);
  await browser.open('/media');
  for (const name of ['Memo', 'Radio']) {
    await browser.press(`^Play ${name}`);
    await expectPlaybackAdvances(browser, name);
  }
  await browser.press('^(Open |Play )?Reel');
  await browser.waitFor('the video advances', () => {
    const shown = document.querySelector('video');
    // Unmuted, it would need a tap on the browser's own controls.
    if (shown) shown.muted = true;
    if (shown?.paused) void shown.play();
    return (shown?.currentTime ?? 0) > 0.2 && (shown?.videoWidth ?? 0) > 0;
  });
  await browser.open('/media');
  await browser.press('^(Open |Play )?Tape');
  await browser.sees('can’t play this video.');
  await browser.sees('Download');
});

test('plays an unsent recording with the first tap', async ({ setup }) => {
  const { browser, server, folder } = setup;
  await signIn(setup);
  await browser.sees('Add recordings');
  await server.stop();
  await browser.press('^Add recordings');
  await browser.engine.setFile('[data-testid=file-picker]', await encodeMedia(folder, 'memo.m4a'));
  await browser.sees('Safe on this');
  await browser.saveSheet();
  await browser.press('^Got it!$');
  await browser.open('/media');
  await browser.sees('memo');
  // Clicked once: a browser that ignored the first tap would need another.
  await browser.press('^Play memo');
  await expectPlaybackAdvances(browser, 'memo');
});

test('grows the message field with its text', async ({ setup }) => {
  const { browser, friend, conversation } = setup;
  await signIn(setup);
  await browser.open(`/messages/${conversation}`);
  await browser.sees(friend.name);
  const height = () => browser.engine.run(() => document.querySelector('textarea')?.offsetHeight ?? 0);
  await browser.fill('^Message ', 'On my way');
  const low = await height();
  await browser.engine.type(', and I bring the costumes, the lamps and the script with me.'.repeat(2));
  await browser.waitFor(
    'nothing scrolls out of sight',
    (before) => {
      const field = document.querySelector('textarea')!;
      return field.offsetHeight > before * 1.5 && field.scrollHeight <= field.clientHeight;
    },
    low,
  );
  await browser.press('^Send to ');
  await expect.poll(height).toBe(low);
});
