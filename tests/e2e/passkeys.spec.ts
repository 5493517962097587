import type { Page } from '@playwright/test';
import { card, row, sheet, signOut } from './support/actions.ts';
import { addAuthenticator } from './support/authenticator.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './support/axe.ts';
import type { Device } from './support/device.ts';
import { makeProfile, signInByApi, type Person } from './support/people.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';
import { expect, test as base } from './support/test.ts';

const message = (page: Page) => page.getByRole('complementary', { name: 'Message' });
const passkeyButton = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' });
/** Passkeys work on localhost, but not at an IP address. */
const toLocalhost = (url: string) => url.replace('127.0.0.1', 'localhost');

async function openSettings(device: Device, person: Person): Promise<void> {
  await device.signInAs(person);
  await device.open('/settings');
  await expect(card(device.page, 'Passkeys')).toContainText('nothing to steal');
}

async function addPasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(message(page)).toContainText('Passkey added');
}

interface Owner {
  device: Device;
  page: Page;
  authenticator: Awaited<ReturnType<typeof addAuthenticator>>;
}

const test = base.extend<{ settings: Owner; owner: Owner }>({
  /** A device in Settings whose person has a profile, but no passkey yet. */
  settings: async ({ person, server, newDevice }, use) => {
    await makeProfile(person);
    const device = await newDevice({ url: toLocalhost(server.url) });
    const { page } = device;
    const authenticator = await addAuthenticator(page);
    await openSettings(device, person);
    await use({ device, page, authenticator });
  },
  /** The same with a passkey that was just added. */
  owner: async ({ settings }, use) => {
    await addPasskey(settings.page);
    await use(settings);
  },
});

test('a passkey is added, renamed and signs in; the sign-in page offers it where the e-mail is typed', async ({
  settings,
  person,
  server,
}) => {
  const { page, authenticator } = settings;
  await expectAccessible(page);
  await addPasskey(page);
  expect(await authenticator.count()).toBe(1);
  const list = card(page, 'Passkeys').getByRole('listitem');
  await expect(list).toContainText('not used yet');
  await page.getByRole('button', { name: /^Rename or remove/ }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  const form = sheet(page, 'Rename passkey');
  await form.getByLabel('Name', { exact: true }).fill('Studio laptop');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(list).toContainText('Studio laptop');
  await expectAccessibleInBothSchemes(page);

  // The person touches nothing yet, so that only the button is tried first.
  await authenticator.setPresence(false);
  await signOut(page);
  await expect(passkeyButton(page)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await authenticator.setPresence(true);
  await passkeyButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
  await signOut(page);
  // Nobody presses a button: the authenticator answers the offer at the e-mail.
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
  const sessions = await signInByApi(server.url, person);
  const listed = await sessions.call<{ last_used_at: string | null }[]>('GET', '/passkeys');
  expect(listed.body[0]?.last_used_at).not.toBeNull();
});

test(
  'a device that has a passkey already says so, and a closed question says nothing',
  { tag: '@full' },
  async ({ owner }) => {
    const { page, authenticator } = owner;
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await expect(card(page, 'Passkeys')).toContainText('This device already has a passkey for your account.');
    expect(await authenticator.count()).toBe(1);
  },
);

test(
  'a removed passkey no longer signs in, and the password manager forgets it',
  { tag: '@full' },
  async ({ owner, person }) => {
    const { device, page, authenticator } = owner;
    device.allowBrowserError(/status of 422/);
    await page.getByRole('button', { name: /^Rename or remove/ }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expectAccessible(page);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(message(page)).toContainText('has been removed');
    await expect(card(page, 'Passkeys').getByRole('listitem')).toHaveCount(0);
    await expect.poll(() => authenticator.count()).toBe(0);

    await addPasskey(page);
    const [added] = (await person.call<{ id: string }[]>('GET', '/passkeys')).body;
    expect((await person.call('DELETE', `/passkeys/${added!.id}`)).status).toBe(200);
    await signOut(page);
    await expect(page.getByText('This passkey was removed. Use another way to sign in.')).toBeVisible();
    await expect.poll(() => authenticator.count()).toBe(0);
  },
);

test(
  'pages of another origin cannot add a passkey, and an IP address does not offer any',
  { tag: '@full' },
  async ({ person, server, newDevice }) => {
    const proxy = await startTcpProxy(server.port);
    try {
      const device = await newDevice({ url: toLocalhost(proxy.url) });
      const { page } = device;
      // Both devices have the same session, which the second one ends.
      device.allowBrowserError(/status of (401|422)/);
      await addAuthenticator(page);
      await openSettings(device, person);
      await page.getByRole('button', { name: 'Add a passkey' }).click();
      await expect(card(page, 'Passkeys')).toContainText('This passkey could not be added. Try again.');
      expect((await person.call('GET', '/passkeys')).body).toEqual([]);
      const other = await newDevice();
      await other.signInAs(person);
      await other.open('/settings');
      await expect(card(other.page, 'Passkeys')).toContainText('Passkeys don’t work at this address.');
      await expectAccessible(other.page);
      await signOut(other.page);
      await expect(other.page.getByRole('link', { name: 'Use a recovery code' })).toBeVisible();
      await expect(passkeyButton(other.page)).toHaveCount(0);
    } finally {
      await proxy.close();
    }
  },
);

test(
  'the sign-in page says that a connection is needed, and goes on when there is one',
  { tag: '@full' },
  async ({ owner, person }) => {
    const { device, page, authenticator } = owner;
    device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
    await device.readyForOffline();
    await authenticator.setPresence(false);
    await signOut(page);
    await expect(passkeyButton(page)).toBeVisible();
    await device.context.setOffline(true);
    await passkeyButton(page).click();
    await expect(
      page.getByText('You need to be online to sign in. What you saved on this phone is safe.'),
    ).toBeVisible();
    await expectAccessible(page);
    await authenticator.setPresence(true);
    await device.context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
  },
);

for (const from of ['the landing page', 'the sign-up page', 'the page of a forgotten password'] as const) {
  test(
    `the sign-in page offers passkeys where the e-mail is typed when it is reached from ${from}`,
    { tag: '@full' },
    async ({ owner, person }) => {
      const { device, page, authenticator } = owner;
      await authenticator.setPresence(false);
      await signOut(page);
      await expect(passkeyButton(page)).toBeVisible();
      if (from === 'the landing page') {
        // A page that is left before the answer to its sign-out has come lets the next one sign out again.
        device.allowBrowserError(/401 .*\/logout/);
        await device.open('/');
      }
      if (from === 'the sign-up page') await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
      if (from === 'the page of a forgotten password') await page.getByRole('link', { name: 'Forgot your' }).click();
      await expect(passkeyButton(page)).toHaveCount(0);
      await authenticator.setPresence(true);
      await page.getByRole('link', { name: 'Sign in', exact: true }).first().click();
      await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
    },
  );
}

test(
  'the sign-in page offers passkeys again where the e-mail is typed after a choice that failed, without a reload',
  { tag: '@full' },
  async ({ owner, person }) => {
    const { page, authenticator } = owner;
    // The lock of the screen is not opened, so the browser ends the choice.
    await authenticator.setVerified(false);
    const failure = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          const get = navigator.credentials.get.bind(navigator.credentials);
          navigator.credentials.get = async (options) => {
            const choice = get(options);
            choice.catch((error: DOMException) => resolve(error.name));
            return choice;
          };
        }),
    );
    await signOut(page);
    expect(await failure).toBe('NotAllowedError');
    await authenticator.setVerified(true);
    await page.getByLabel('E-mail').click();
    await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
  },
);

test('recovery codes are shown once, and each signs in once', async ({ person, phone, newDevice }) => {
  await makeProfile(person);
  const { page } = phone;
  await openSettings(phone, person);
  await page.getByRole('button', { name: 'Make codes' }).click();
  const codes = sheet(page, 'Your recovery codes');
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  await expectAccessible(page);
  const code = await codes.getByRole('listitem').first().textContent();
  await expect(codes).toContainText('once this is closed, nobody can show them again');
  const kept = codes.getByRole('button', { name: 'I’ve kept them, close' });
  await expect(kept).toBeDisabled();
  const downloading = page.waitForEvent('download');
  await codes.getByRole('button', { name: 'Save' }).click();
  expect((await downloading).suggestedFilename()).toBe('callboard-recovery-codes.txt');
  await kept.click();
  await expect(card(page, 'Recovery codes')).toContainText('10 of 10 left');

  const other = await newDevice();
  other.allowBrowserError(/status of 422/);
  await other.open('/login');
  await other.page.getByLabel('E-mail').fill(person.email);
  await other.page.getByRole('link', { name: 'Use a recovery code' }).click();
  await expect(other.page.getByRole('heading', { level: 1, name: 'Use a recovery code' })).toBeVisible();
  await expectAccessibleInBothSchemes(other.page);
  await other.page.getByLabel('Recovery code').fill('AAAAA-AAAAA');
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  await expect(other.page.getByText('or the code was used before')).toBeVisible();
  await other.page.getByLabel('Recovery code').fill(code!.toLowerCase());
  await other.page.getByRole('button', { name: 'Sign in' }).click();
  await expect(other.page).toHaveURL(/\/settings$/);
  await expect(card(other.page, 'Recovery codes')).toContainText('9 of 10 left');
  await expect(row(card(other.page, 'Signed in on'), 'This device')).toBeVisible();
});
