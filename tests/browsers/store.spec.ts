import { expect } from '@playwright/test';
import { signIn, test } from './fixture.ts';

/** Generous, since a slow machine sends late. */
const SENT = { timeout: 120_000 };

test('keeps text typed after the store was lost, and offers the reload that restores it', async ({ setup }) => {
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

test('reloads a page without typed text when the store was lost', async ({ setup }) => {
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

test('does not block the store for the next page when left while saving', async ({ setup }) => {
  const { browser, performer, friend, conversation } = setup;
  await signIn(setup);
  // The engine starts to write when the device comes online: here while the browser freezes the page.
  await browser.engine.run(() => addEventListener('pagehide', () => dispatchEvent(new Event('online')), true));
  await browser.open(`/messages/${conversation}`);
  await browser.sees(friend.name);
  await browser.open('/');
  await browser.sees(performer.name);
});
