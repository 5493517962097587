import type { Page } from '@playwright/test';
import { addSkill, card, row, sheet } from './support/actions.ts';
import { addAuthenticator } from './support/authenticator.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { makeProfile, signInByApi } from './support/people.ts';
import { makeSignInStale } from './support/stale-sign-in.ts';
import { expect, test } from './support/test.ts';

const message = (page: Page) => page.getByRole('complementary', { name: 'Message' });
const readTokens = (page: Page) =>
  page.evaluate(async () => {
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('app:device');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error!);
    });
    const stored = await new Promise<{ token: string }>((resolve, reject) => {
      const request = db.transaction('facts').objectStore('facts').get('session');
      request.onsuccess = () => resolve(request.result as { token: string });
      request.onerror = () => reject(request.error!);
    });
    db.close();
    return [localStorage.getItem('token'), stored.token];
  });

async function signOutOther(page: Page): Promise<void> {
  await row(card(page, 'Signed in on'), 'Last seen')
    .getByRole('button', { name: /^Sign out/ })
    .click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
}

test('asks who it is before another device is signed out, then does it with a new token', async ({
  person,
  server,
  newDevice,
}) => {
  const { id: profileId } = await makeProfile(person);
  const other = await signInByApi(server.url, person);
  const device = await newDevice();
  const { page } = device;
  device.allowBrowserError(/status of 4(03|22|01)/);
  await device.signInForOffline(person);
  const tab = await device.newTab();
  await tab.goto('/');
  await expect(tab.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
  await page.goto('/settings');
  await expect(card(page, 'Signed in on').getByRole('listitem')).toHaveCount(2);
  await makeSignInStale(server, person);
  await signOutOther(page);
  const dialog = sheet(page, 'Is it you?');
  await expect(dialog.getByLabel('Your password')).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog).toContainText('Enter your password');
  await dialog.getByLabel('Your password').fill('not the password');
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(dialog).toContainText('This is not your current password');
  await expect(dialog.getByLabel('Your password')).toBeFocused();
  await dialog.getByLabel('Your password').fill(person.password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
  await expect(message(page)).toContainText('has been signed out');
  await expect(dialog).toHaveCount(0);
  expect((await other.call('GET', '/user')).status).toBe(401);

  // The old token is dead; both stores have the new one, and neither the other tab nor the next start has noticed.
  expect((await person.call('GET', '/user')).status).toBe(401);
  const [local, stored] = await readTokens(page);
  expect([local, stored]).toEqual([stored, local]);
  expect(local).not.toBe(person.token);
  await addSkill(tab, 'Kathak', 'Expert');
  const again = await signInByApi(server.url, person);
  await expect
    .poll(async () => (await again.call<{ name: string }[]>('GET', `/profiles/${profileId}/skills`)).body)
    .toMatchObject([{ name: 'Kathak' }]);
  await expect(tab.getByText('You have been signed out.')).toHaveCount(0);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
  await expect(page.getByText('You have been signed out.')).toHaveCount(0);
});

test('does nothing when the question is closed', { tag: '@full' }, async ({ person, server, phone }) => {
  const other = await signInByApi(server.url, person);
  const { page } = phone;
  phone.allowBrowserError(/status of 403/);
  await phone.signInAs(person);
  await phone.open('/settings');
  await makeSignInStale(server, person);
  await signOutOther(page);
  await sheet(page, 'Is it you?').getByRole('button', { name: 'Cancel' }).click();
  await expect(sheet(page, 'Is it you?')).toHaveCount(0);
  await expect(card(page, 'Signed in on').getByRole('listitem')).toHaveCount(2);
  expect((await other.call('GET', '/user')).status).toBe(200);
  expect((await person.call('GET', '/user')).status).toBe(200);
});

test(
  'asks again after the answer was lost, and the export goes on',
  { tag: '@full' },
  async ({ person, server, phone }) => {
    const { page } = phone;
    phone.allowBrowserError(/status of 403|ERR_FAILED|ERR_CONNECTION/);
    await phone.signInAs(person);
    await phone.open('/settings');
    await expect(page.getByRole('button', { name: 'Export as ZIP' })).toBeVisible();
    await makeSignInStale(server, person);
    await page.getByRole('button', { name: 'Export as ZIP' }).click();
    const dialog = sheet(page, 'Is it you?');
    await dialog.getByLabel('Your password').fill(person.password);
    // The server renews the token, and the answer never arrives.
    await page.route('**/reauth', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await expect(dialog).toContainText('No connection. Nothing has happened yet. Try again.');
    await page.unroute('**/reauth');
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Go on' }).click();
    expect((await downloading).suggestedFilename()).toMatch(/^callboard-.*\.zip$/);
    expect((await person.call('GET', '/user')).status).toBe(401);
  },
);

test(
  'opens offline after the app was ended between storing the new token in its two places',
  { tag: '@full' },
  async ({ person, newDevice }) => {
    await makeProfile(person);
    const device = await newDevice();
    const { page } = device;
    device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
    await device.signInForOffline(person);
    const { body } = await person.call<{ token: string }>('POST', '/reauth', { password: person.password });
    await page.evaluate(async (token) => {
      const db = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open('app:device');
        request.onsuccess = () => resolve(request.result);
      });
      const store = db.transaction('facts', 'readwrite').objectStore('facts');
      await new Promise<void>((resolve) => {
        const request = store.get('session');
        request.onsuccess = () => {
          const session = request.result as { token: string };
          store.put({ ...session, token, previousToken: session.token }, 'session').onsuccess = () => resolve();
        };
      });
      db.close();
    }, body.token);
    await device.context.setOffline(true);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
    expect(await readTokens(page)).toEqual([body.token, body.token]);
    await addSkill(page, 'Kathak', 'Expert');
    await device.context.setOffline(false);
    await expect(page.getByText('You have been signed out.')).toHaveCount(0);
    await expect.poll(async () => (await person.call('GET', '/user')).status).toBe(401);
  },
);

test('accepts a passkey', { tag: '@full' }, async ({ person, server, newDevice }) => {
  const device = await newDevice({ url: server.url.replace('127.0.0.1', 'localhost') });
  const { page } = device;
  device.allowBrowserError(/status of 403/);
  await addAuthenticator(page);
  await device.signInAs(person);
  await device.open('/settings');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(message(page)).toContainText('Passkey added');
  await makeSignInStale(server, person);
  await page.getByRole('button', { name: 'Make codes' }).click();
  const dialog = sheet(page, 'Is it you?');
  await expect(dialog.getByRole('button', { name: 'Use your passkey' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await dialog.getByRole('button', { name: 'Use your passkey' }).click();
  await expect(sheet(page, 'Your recovery codes').getByRole('listitem')).toHaveCount(10);
});

test(
  'says that the recovery codes may have been replaced when the answer was lost, until new ones are there',
  { tag: '@full' },
  async ({ person, phone }) => {
    const { page } = phone;
    phone.allowBrowserError(/ERR_FAILED/);
    await phone.signInAs(person);
    await phone.open('/settings');
    const codes = card(page, 'Recovery codes');
    // The server replaces the codes, and the answer never arrives.
    const loseAnswers = () =>
      page.route('**/recovery-codes', async (route) => {
        if (route.request().method() === 'GET') return route.continue();
        await route.fetch();
        await route.abort();
      });
    await loseAnswers();
    await codes.getByRole('button', { name: 'Make codes' }).click();
    const notice = codes.getByRole('alert');
    await expect(notice).toContainText('New codes may have been made');
    await expect(codes).toContainText('10 of 10 left');
    await expectAccessibleInBothSchemes(page);
    await page.unroute('**/recovery-codes');

    await codes.getByRole('button', { name: 'New codes' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make new codes' }).click();
    await expect(sheet(page, 'Your recovery codes').getByRole('listitem')).toHaveCount(10);
    await expect(notice).toHaveCount(0);
  },
);
