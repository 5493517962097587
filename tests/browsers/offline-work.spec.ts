import { expect } from '@playwright/test';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { picture } from '../e2e/support/pictures.ts';
import { signIn, test } from './fixture.ts';

test('sends work done offline exactly once, through a restarted browser', async ({ setup }) => {
  const { browser, server, performer, friend, folder, profileId, conversation } = setup;
  await signIn(setup);
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
  // Nothing is left to send.
  await browser.open('/waiting');
  await browser.sees('Everything is saved');
  expect(await arrived()).toEqual(work);
});
