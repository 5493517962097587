import { expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { addRecording, submitMedia } from '../e2e/support/media-scenes.ts';
import { picture } from '../e2e/support/pictures.ts';
import { signIn, test } from './scene.ts';

/** Three seconds of H.264, as phones record it. */
async function film(folder: string): Promise<Buffer> {
  const file = path.join(folder, 'scene.mp4');
  const size = 'video/x-raw,width=320,height=240,framerate=25/1';
  const pipeline = `videotestsrc num-buffers=75 ! ${size} ! openh264enc ! h264parse ! mp4mux ! filesink location=${file}`;
  await promisify(execFile)('gst-launch-1.0', ['-q', ...pipeline.split(' ')]);
  return readFile(file);
}

test('sends work done without a server through a restarted browser exactly once', async ({ scene }) => {
  const { browser, server, performer, friend, folder, profileId, conversation } = scene;
  await signIn(scene);
  await browser.open(`/messages/${conversation}`);
  await browser.sees(friend.name);
  await server.stop();

  await browser.open('/');
  await browser.sees(performer.name);
  await browser.press('^Add a skill');
  await browser.fill('^Skill', 'Kathak');
  await browser.choose('^Expert');
  await browser.saveSheet();
  await browser.sees('Kathak');

  const photo = path.join(folder, 'stage.jpg');
  await writeFile(photo, (await picture('stage.jpg', 320, 400)).buffer);
  await browser.press('^(Add to Photos|Add photos)');
  await browser.engine.setFile('[data-testid=file-picker]', photo);
  await browser.sees('Safe on this');
  await browser.fill('^Name', 'On stage');
  await browser.saveSheet();
  await browser.press('^Got it!$');

  await browser.open(`/messages/${conversation}`);
  await browser.fill('^Message ', 'Running late, save me a seat');
  await browser.press('^Send to ');
  await browser.sees('Running late, save me a seat');

  await browser.engine.restart();
  await browser.open(`/messages/${conversation}`);
  await browser.sees('Running late, save me a seat');
  await browser.open('/');
  await browser.sees('Kathak');

  await server.start();
  const ask = async <T>(address: string) => (await performer.call<T>('GET', address)).body;
  const arrived = async () => {
    const { messages } = await ask<{ messages: { message: string }[] }>(`/chat/${conversation}`);
    const skills = await ask<{ name: string }[]>(`/profiles/${profileId}/skills`);
    const photos = await ask<{ width: number }[]>('/media');
    return [
      ...skills.map(({ name }) => name),
      ...photos.map(({ width }) => width),
      ...messages.map(({ message }) => message),
    ];
  };
  const work = ['Kathak', 320, 'Running late, save me a seat'];
  await expect.poll(arrived, { timeout: 120_000 }).toEqual(work);
  // Started once more with the server there, it has nothing left to send.
  await browser.open('/waiting');
  await browser.sees('Everything is saved');
  expect(await arrived()).toEqual(work);
});

test('plays a recording and a film', async ({ scene }) => {
  const { browser, server, performer, profileId, folder } = scene;
  await addRecording(performer, server.url, profileId, 'Voice');
  const clip = { name: 'scene.mp4', type: 'video/mp4', bytes: await film(folder) };
  await submitMedia(performer, server.url, { profile_id: profileId, media_type: 'video', name: 'Reel' }, clip);
  await signIn(scene);
  await browser.open('/media');
  await browser.press('^Play Voice');
  await browser.waitFor('the recording moves on', () =>
    [...document.querySelectorAll('[role=slider]')].some((slider) => Number(slider.getAttribute('aria-valuenow')) > 0),
  );
  await browser.press('^(Reel|Open Reel|Play Reel)');
  await browser.waitFor('the film moves on', () => {
    const shown = document.querySelector('video');
    if (shown?.paused) void shown.play();
    return (shown?.currentTime ?? 0) > 0.2 && (shown?.videoWidth ?? 0) > 0;
  });
});
