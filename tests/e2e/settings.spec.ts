import { readFile } from 'node:fs/promises';
import { addSkill, card, row, sheet } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { signInByApi, makePerson, makeProfile } from './support/people.ts';
import { makeSignInStale } from './support/stale-sign-in.ts';
import { expect, test } from './support/test.ts';

const message = { name: 'Message' };

for (const look of [
  { shape: 'phone', colorScheme: 'light' },
  { shape: 'desktop', colorScheme: 'dark' },
] as const) {
  test(
    `settings and their sheets are accessible: ${look.shape}, ${look.colorScheme}`,
    { tag: '@full' },
    async ({ person, newDevice }) => {
      await makeProfile(person);
      const device = await newDevice(look);
      const { page } = device;
      device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
      await device.signInAs(person);
      await device.open('/settings');
      await expect(card(page, 'Signed in on').getByRole('listitem')).toHaveCount(1);
      await expectAccessible(page);
      for (const opener of ['Change password', 'Delete account']) {
        await page.getByRole('button', { name: opener }).click();
        await expect(page.getByRole('dialog')).toBeVisible();
        await expectAccessible(page);
        await page.keyboard.press('Escape');
        await expect(page.getByRole('dialog')).toHaveCount(0);
        await expect(page.getByRole('button', { name: opener })).toBeFocused();
      }
      await device.readyForOffline();
      await device.context.setOffline(true);
      for (const words of ['Changing it', 'Exporting', 'Deleting it']) {
        await expect(page.getByText(`${words} only works online.`)).toBeVisible();
      }
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    },
  );
}

test(
  'signs out only the other devices after a password change',
  { tag: '@full' },
  async ({ person, server, newDevice }) => {
    await makeProfile(person);
    const other = await signInByApi(server.url, person);
    const device = await newDevice();
    const { page } = device;
    device.allowBrowserError(/status of 422/);
    await device.signInAs(person);
    await device.open('/settings');
    await expect(card(page, 'Signed in on').getByRole('listitem')).toHaveCount(2);
    await page.getByRole('button', { name: 'Change password' }).click();
    const form = sheet(page, 'Change password');
    await form.getByLabel('Current password').fill('not the password');
    await form.getByLabel('New password').fill('short');
    await form.getByRole('button', { name: 'Change password', exact: true }).click();
    await expect(form).toContainText('Use at least 10 characters');
    await expect(form.getByLabel('New password')).toBeFocused();
    await form.getByLabel('New password').fill('a quiet house tonight');
    await form.getByRole('button', { name: 'Change password', exact: true }).click();
    await expect(form.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true');
    await form.getByLabel('Current password').fill(person.password);
    await form.getByRole('button', { name: 'Change password', exact: true }).click();
    await expect(page.getByRole('complementary', message)).toContainText('Password changed');
    await expect(form).toHaveCount(0);
    await expect(card(page, 'Signed in on').getByRole('listitem')).toHaveCount(1);
    expect((await other.call('GET', '/user')).status).toBe(401);
    // This device goes on with a new token.
    expect((await person.call('GET', '/user')).status).toBe(401);
    await page.reload();
    await expect(card(page, 'Signed in on')).toContainText('This device');
    await signInByApi(server.url, { ...person, password: 'a quiet house tonight' });
  },
);

test('signs out another device, and shows what is unsent there', async ({ person, server, newDevice }) => {
  await makeProfile(person);
  const lost = await signInByApi(server.url, person);
  await fetch(`${server.url}/user`, {
    headers: { Accept: 'application/json', Authorization: `Bearer ${lost.token}`, 'X-Pending': '3' },
  });
  const device = await newDevice({ shape: 'desktop' });
  const { page } = device;
  await device.signInAs(person);
  await device.open('/settings');
  const there = row(card(page, 'Signed in on'), '3 changes wait there');
  await there.getByRole('button', { name: /^Sign out/ }).click();
  await expect(page.getByRole('alertdialog')).toContainText('3 changes still wait to be sent there.');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
  await expect(there).toHaveCount(0);
  expect((await lost.call('GET', '/user')).status).toBe(401);
});

test('unblocks a person in Settings', { tag: '@full' }, async ({ person, server, newDevice }) => {
  await makeProfile(person);
  const other = await makePerson(server.url);
  const { id } = await makeProfile(other);
  expect((await person.call('POST', `/blocks/${other.id}`)).status).toBe(200);
  const device = await newDevice();
  const { page } = device;
  device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  await device.signInAs(person);
  await device.open('/settings');
  const there = row(card(page, 'Blocked people'), other.name);
  await expect(there).toContainText('Blocked');
  await device.readyForOffline();
  await device.context.setOffline(true);
  await expect(page.getByText('Unblocking only works online.')).toBeVisible();
  await expect(there.getByRole('button')).toHaveCount(0);
  await device.context.setOffline(false);
  await there.getByRole('button', { name: `Unblock ${other.name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unblock' }).click();
  await expect(page.getByRole('complementary', message)).toContainText('has been unblocked');
  await expect(card(page, 'Blocked people')).toContainText('You haven’t blocked anyone.');
  expect((await person.call('GET', `/profile/details/${id}`)).status).toBe(200);
});

test('downloads all data of the account as a ZIP', async ({ person, newDevice }) => {
  await makeProfile(person, { title: 'Stage actor' });
  const device = await newDevice({ shape: 'desktop' });
  const { page } = device;
  await device.signInAs(person);
  await device.open('/settings');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export as ZIP' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^callboard-\d{4}-\d\d-\d\d\.zip$/);
  const bytes = await readFile(await download.path());
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004');
  await expect(page.getByRole('complementary', message)).toContainText('in your downloads');
});

test('deletes the account from the server and from this device', async ({ person, server, newDevice }) => {
  const { id } = await makeProfile(person);
  const device = await newDevice();
  const { page } = device;
  device.allowBrowserError(/status of 4(01|03|22)|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/);
  // The deletion closes the socket, and the library may be writing to it at that moment.
  device.allowBrowserError(/WebSocket is already in CLOSING or CLOSED state/);
  await device.signInForOffline(person);
  await device.context.setOffline(true);
  await addSkill(page, 'Kathak', 'Expert');
  await page.getByRole('button', { name: /your menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page.getByText('Deleting it only works online.')).toBeVisible();
  await device.context.setOffline(false);
  await page.getByRole('button', { name: 'Delete account' }).click();
  const form = sheet(page, 'Delete account?');
  await expect(form).toContainText(person.name);
  await makeSignInStale(server, person);
  await form.getByRole('button', { name: 'Delete for good' }).click();
  const question = sheet(page, 'Is it you?');
  await question.getByLabel('Your password').fill('not the password');
  await question.getByRole('button', { name: 'Go on' }).click();
  await expect(question.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true');
  await question.getByLabel('Your password').fill(person.password);
  await question.getByRole('button', { name: 'Go on' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect((await person.call('GET', '/user')).status).toBe(401);
  const answer = await fetch(`${server.url}/profile/details/${id}`, { headers: { Accept: 'application/json' } });
  expect(answer.status).toBe(404);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  const stores = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
  expect(stores.filter((name) => name?.endsWith(`:${person.id}`))).toEqual([]);
});

test('calls the server from the demo page', { tag: '@full' }, async ({ phone }) => {
  await phone.open('/demo');
  await expect(card(phone.page, 'Example Component')).toContainText('Callboard is up and running');
  await expectAccessible(phone.page);
});
