import { expect } from '@playwright/test';
import { signIn, test } from './fixture.ts';

/** A slow machine sends late. */
const SENT = { timeout: 120_000 };

test('keeps words typed after the store was lost, and offers the reload that brings it back', async ({ setup }) => {
  const { browser, performer, profileId } = setup;
  await signIn(setup);
  await browser.press('^Add a skill');
  await browser.fill('^Skill', 'Kath');
  await browser.engine.run(() => void dispatchEvent(new Event('test:break-store')));
  await browser.engine.type('ak');
  await browser.sees('Your text is kept.');
  await browser.press('^Reload$');
  await browser.sees('Picked up where you left off');
  expect(await browser.engine.run(() => document.querySelector<HTMLInputElement>('dialog input')?.value)).toBe(
    'Kathak',
  );
  await browser.choose('^Expert');
  await browser.saveSheet();
  const skills = async () => (await performer.call<{ name: string }[]>('GET', `/profiles/${profileId}/skills`)).body;
  await expect.poll(async () => (await skills()).map(({ name }) => name), SENT).toEqual(['Kathak']);
});

test('reloads a page with nothing typed by itself when the store was lost', async ({ setup }) => {
  const { browser, performer } = setup;
  await signIn(setup);
  await browser.engine.run(() => {
    Object.assign(window, { isSamePage: true });
    dispatchEvent(new Event('test:break-store'));
    dispatchEvent(new Event('online'));
  });
  await browser.waitFor('the page reloads', () => !('isSamePage' in window));
  await browser.sees(performer.name);
  await browser.sees('Edit Profile');
});

test('a page that is left while it saves does not keep the store from the next one', async ({ setup }) => {
  const { browser, performer, friend, conversation } = setup;
  await signIn(setup);
  // The engine begins to write when signal comes back: here at the moment in which the browser freezes the page.
  await browser.engine.run(() => addEventListener('pagehide', () => dispatchEvent(new Event('online')), true));
  await browser.open(`/messages/${conversation}`);
  await browser.sees(friend.name);
  await browser.open('/');
  await browser.sees(performer.name);
});
