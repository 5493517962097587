import { expect } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import type { AuditionRequest } from '#contract/records/casting.ts';
import type { Mark } from '#contract/records/tapes.ts';
import { ask, makeRole, sendTape } from '../e2e/support/casting.ts';
import { makePerson, makeProfile, type Person } from '../e2e/support/people.ts';
import type { BrowserUser } from './browser.ts';
import { signIn, test } from './fixture.ts';
import { expectNoPageErrors } from './page-errors.ts';
import { encodeMedia } from './recordings.ts';

/** Generous, since a slow machine sends late. */
const SENT = { timeout: 120_000 };

/** The records of a type that the server has for a person. */
async function getRecords<T>(person: Person, type: string): Promise<T[]> {
  const { body } = await person.call<{ records: { type: string; body: T | null }[] }>('GET', '/sync');
  return body.records.flatMap((each) => (each.type === type && each.body !== null ? [each.body] : []));
}

/** Plays the first video of the page without sound, and expects a moving picture. */
const expectVideoPlays = (browser: BrowserUser) =>
  browser.waitFor('the video advances', () => {
    const video = document.querySelector('video');
    if (video === null) return false;
    // With sound, it would need a tap on the browser's own controls.
    video.muted = true;
    if (video.paused && !video.ended) void video.play();
    return video.currentTime > 0.2 && video.videoWidth > 0;
  });

const countVideos = (browser: BrowserUser, count: number) =>
  browser.waitFor(`${count} videos`, (expected) => document.querySelectorAll('video').length === expected, count);

test('watches a tape, compares it with another, and grades without signal', async ({ setup }) => {
  const { browser, server, folder, performer: director } = setup;
  const film = await readFile(await encodeMedia(folder, 'scene.mp4'));
  const role = await makeRole(director, { name: 'Naseem' });
  for (const name of ['Meera Kulkarni', 'Zoya Sheikh']) {
    const person = await makePerson(server.url, { name });
    const profile = await makeProfile(person);
    const request = await ask(director, role.id, profile.id);
    await sendTape(server.url, person, request.id, { film });
  }
  await signIn(setup);
  await browser.open('/casting');
  await browser.press('^The Salt Road');
  await browser.press('^Naseem');
  await browser.press('^Open the tape by Zoya Sheikh');
  await expectVideoPlays(browser);
  await browser.press('^Two at once');
  await countVideos(browser, 2);
  await browser.press('^Close the comparison$');
  await browser.sees('Only your side reads this');

  await server.stop();
  await browser.press('^A Callback$');
  await browser.fill('^Note', 'Brave silence.');
  await browser.press('^Close Zoya Sheikh$');
  await server.start();
  // Whether the note still joins the grade or is a change of its own depends on how far that is on its way.
  const marks = async () => (await getRecords<Mark>(director, 'mark')).map(({ grade, text }) => [grade, text]);
  await expect.poll(marks, SENT).toEqual([['A', 'Brave silence.']]);
  await expectNoPageErrors(browser);
});

test('says yes and sends a tape without signal, and plays what has arrived', async ({ setup }) => {
  const { browser, server, folder, friend: director, profileId } = setup;
  const role = await makeRole(director, { name: 'Naseem' });
  await ask(director, role.id, profileId);
  const film = await encodeMedia(folder, 'scene.mp4');
  await signIn(setup);
  await browser.open('/auditions');
  await browser.press('Naseem');
  await browser.sees('Good to know before you say yes');
  await server.stop();
  await browser.press('^Confirm$');
  await browser.press('^Send a tape$');
  await browser.engine.setFile('[data-testid=takes]', film);
  await browser.press('^Send \\d');
  await browser.sees('Finished in time');
  await browser.sees('Not yet');

  await browser.engine.restart();
  await browser.open('/auditions');
  await browser.press('Naseem');
  await browser.sees('Finished in time');
  await server.start();
  const facts = async () =>
    (await getRecords<AuditionRequest>(director, 'request')).map(({ confirmed_at, arrived_at }) => [
      confirmed_at !== null,
      arrived_at !== null,
    ]);
  await expect.poll(facts, SENT).toEqual([[true, true]]);
  await browser.press('^Watch$');
  await expectVideoPlays(browser);
  await expectNoPageErrors(browser);
});

test('opens the booth, which says that there is no camera, and makes a CV', async ({ setup }) => {
  const { browser } = setup;
  await signIn(setup);
  await browser.open('/booth');
  await browser.sees('Pick a video instead');
  await browser.open('/booth/takes');
  await browser.sees('No takes yet');
  await browser.open('/cv');
  await browser.sees('Made on this');
  await expectNoPageErrors(browser);
});
