import type { Page } from '@playwright/test';
import { addPhotos, addSkill, card, expectAllSaved, pill, row, sheet, signIn, signOut } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import type { Device } from './support/device.ts';
import { makeProfile, type Person } from './support/people.ts';
import { picture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

const notice = (page: Page, title: string | RegExp) => page.getByRole('region', { name: title });
const THIS_DEVICE = /^This (phone|computer) had 3 changes that never arrived$/;

/** Signs in on a device and waits until the server knows it. */
async function signInOn({ page }: Device, person: Person): Promise<void> {
  const isKnown = page.waitForResponse((answer) => answer.url().endsWith('/devices/lost') && answer.ok());
  await signIn(page, person);
  await isKnown;
  await expect(card(page, 'Skills')).toBeVisible();
}

/** The number of changes that wait on each signed-in device, as the server has heard. */
const getPending = async (person: Person) =>
  (await person.call<{ pending: number }[]>('GET', '/sessions')).body.map(({ pending }) => pending);

/** Makes three changes that the server does not take but hears of: two skills and a photo. */
async function leaveThreeWaiting(device: Device, person: Person): Promise<void> {
  const { page, context } = device;
  device.allowBrowserError(/503/);
  // For the whole browser, because its worker sends as well, whenever the page waits to try again.
  for (const path of [/\/skills$/, /\/media-form$/])
    await context.route(path, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, json: { message: 'Not now' } })
        : route.fallback(),
    );
  await addSkill(page, 'Kathak', 'Expert');
  await addSkill(page, 'Mime', 'Expert');
  await addPhotos(page, [await picture('a.jpg', 320, 400)], 'On stage');
  await expect(pill(page)).toHaveText('3 waiting');
  // Not every version of the browser shows tests the request that says it, since it may outlive the page.
  await expect.poll(async () => Math.max(...(await getPending(person)))).toBe(3);
}

/** Deletes what a browser deletes when it needs room, the app's own files among them: the device must not be used again. */
async function evict({ page, context, allowBrowserError }: Device, origin: string, also = ''): Promise<void> {
  const browser = await context.newCDPSession(page);
  // Something that waits may be on its way at the moment when the network goes.
  allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  // Otherwise the worker would send what waits as soon as the routes are gone.
  await context.setOffline(true);
  await page.goto('about:blank');
  await context.unrouteAll();
  const storageTypes = `indexeddb,local_storage,cache_storage${also}`;
  await browser.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await context.setOffline(false);
}

test('tells on every device what waited in a storage that the browser cleared', async ({
  ownPhone: phone,
  person,
  server,
  newDevice,
}) => {
  await makeProfile(person);
  const laptop = await newDevice({ shape: 'desktop' });
  await signInOn(phone, person);
  await signInOn(laptop, person);
  await leaveThreeWaiting(phone, person);
  await evict(phone, server.url);

  await signInOn(phone, person);
  const own = notice(phone.page, THIS_DEVICE);
  await expect(own).toContainText('The oldest is from');
  await expect(row(own, '2 edits')).toBeVisible();
  await expect(row(own, '1 photo')).toBeVisible();
  await expectAccessibleInBothSchemes(phone.page);
  await laptop.open('/');
  const theirs = notice(laptop.page, /^Chrome on .* had 3 changes that never arrived$/);
  await expect(theirs).toContainText('its storage');
  await theirs.getByRole('link', { name: 'Open a sealed file' }).click();
  await sheet(laptop.page, 'Open a sealed file').getByRole('button', { name: 'Later' }).click();
  await laptop.open('/');
  await theirs.getByRole('button', { name: 'Let them go' }).click();
  await expect(theirs).toHaveCount(0);
  // Dismissed on one device, it is dismissed on all.
  const isAsked = phone.page.waitForResponse((answer) => answer.url().endsWith('/devices/lost'));
  await phone.open('/');
  await isAsked;
  await expect(own).toHaveCount(0);
});

test(
  'says what may be lost if the device cannot be recognized',
  { tag: '@full' },
  async ({ ownPhone: phone, person, server }) => {
    await makeProfile(person);
    await signInOn(phone, person);
    await leaveThreeWaiting(phone, person);
    await evict(phone, server.url, ',cookies');
    await signInOn(phone, person);
    await expect(notice(phone.page, /^Chrome on .* may have lost 3 changes$/)).toContainText('If you still use it');
  },
);

test(
  'says nothing about changes that arrived, or were discarded at sign-out',
  { tag: '@full' },
  async ({ ownPhone: phone, person, server }) => {
    const { page } = phone;
    await makeProfile(person);
    await signInOn(phone, person);
    const isZero = page.waitForRequest(
      (request) => request.method() === 'POST' && request.headers()['x-pending'] === '0',
    );
    await addSkill(page, 'Kathak', 'Expert');
    await isZero;
    await expectAllSaved(page);
    await leaveThreeWaiting(phone, person);
    await signOut(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard 3 changes' }).click();
    const second = page.getByRole('alertdialog', { name: 'Discard 3 changes?' });
    await second.getByRole('button', { name: 'Discard' }).click();
    await expect(page).toHaveURL(/\/login$/);
    // The server has heard of the sign-out, which says that the changes were discarded.
    await expect.poll(async () => (await person.call<unknown[]>('GET', '/sessions')).body.length).toBe(1);
    await evict(phone, server.url);
    await signInOn(phone, person);
    await expect(notice(page, /never arrived|may have lost/)).toHaveCount(0);
  },
);
