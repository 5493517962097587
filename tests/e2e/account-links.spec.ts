import { expectAccessible, expectAccessibleInBothSchemes } from './support/axe.ts';
import { readLink } from './support/mail.ts';
import { makeProfile, signInByApi } from './support/people.ts';
import { expect, test } from './support/test.ts';

const NEW = 'a lantern under the stairs';
const heading = (name: string) => ['heading', { level: 1, name }] as const;

test('a forgotten password is replaced with the link from the mail, which signs in', async ({
  person,
  server,
  phone,
}) => {
  await makeProfile(person);
  const { page } = phone;
  phone.allowBrowserError(/status of 422/);
  await phone.open('/login');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue(person.email);
  await expectAccessibleInBothSchemes(page);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole(...heading('Check your e-mail'))).toBeVisible();
  await expect(page.getByText(person.email)).toBeVisible();
  await expectAccessible(page);

  await phone.open(await readLink(server, person, 'reset'));
  await expect(page.getByRole(...heading('Choose a new password'))).toBeVisible();
  await expect(page.getByText(person.email)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByLabel('New password').fill('Password123');
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await expect(page.getByText('Too many people use this password')).toBeVisible();
  await page.getByLabel('New password').fill(NEW);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
  await expect(page.getByRole(...heading(person.name))).toBeVisible();
  await expect(page).toHaveURL(`${server.url}/`);
  expect((await person.call('GET', '/user')).status).toBe(401);
  await signInByApi(server.url, { ...person, password: NEW });
});

test('a link that was used leads to a new one', { tag: '@full' }, async ({ person, server, phone }) => {
  const { page } = phone;
  phone.allowBrowserError(/status of 422/);
  await person.call('POST', '/password/forgot', { email: person.email });
  const link = await readLink(server, person, 'reset');
  await person.call('POST', '/password/reset', { token: link.split('#t=')[1], password: NEW });
  for (const broken of [link, '/reset', '/confirm', '/secure#t=cut']) {
    await phone.open(broken);
    if (broken.startsWith('/secure')) await page.getByRole('button', { name: 'Sign out all devices' }).click();
    await expect(page.getByRole(...heading('This link no longer works'))).toBeVisible();
  }
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Choose a new password' }).click();
  await expect(page.getByRole(...heading('Forgot your password?'))).toBeVisible();
});

test('a link opened without a connection can be tried again', { tag: '@full' }, async ({ person, server, phone }) => {
  const { page } = phone;
  phone.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  await person.call('POST', '/password/forgot', { email: person.email });
  const link = await readLink(server, person, 'reset');
  await phone.open('/');
  await phone.readyForOffline();
  await phone.context.setOffline(true);
  await phone.open(link);
  await expect(page.getByRole(...heading('The link could not be checked'))).toBeVisible();
  await phone.context.setOffline(false);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole(...heading('Choose a new password'))).toBeVisible();
});

test('an e-mail address is confirmed with a button, not by opening the link', async ({ person, server, phone }) => {
  await makeProfile(person);
  const { page } = phone;
  await phone.signInAs(person);
  await phone.open('/');
  const card = page.getByRole('region', { name: 'E-mail' });
  await expect(card).toContainText(person.email);
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Send it again' }).click();
  await expect(page.getByRole('complementary', { name: 'Message' })).toContainText(
    `We’ve sent a link to ${person.email}`,
  );

  await phone.open(await readLink(server, person, 'verify'));
  await expect(page.getByRole(...heading('Confirm your e-mail'))).toBeVisible();
  await expectAccessible(page);
  type User = { email_verified: boolean };
  expect((await person.call<User>('GET', '/user')).body.email_verified).toBe(false);
  await page.getByRole('button', { name: 'Confirm e-mail' }).click();
  await expect(page.getByRole(...heading('Your e-mail is confirmed'))).toBeVisible();
  await expect(page).toHaveTitle('Your e-mail is confirmed · Callboard');
  await expect(page.getByRole('main')).toBeFocused();
  expect((await person.call<User>('GET', '/user')).body.email_verified).toBe(true);
  await page.getByRole('link', { name: 'Go to your profile' }).click();
  await expect(page.getByRole(...heading(person.name))).toBeVisible();
  await expect(card).toHaveCount(0);
  // Nothing is left where the card was.
  await expect(page.getByRole('main')).toHaveText(/^Add photo/);
  await phone.open('/settings');
  await expect(page.getByText(person.email)).toBeVisible();
  await expect(page.getByText('Not confirmed yet')).toHaveCount(0);
});

test(
  'a confirmation on another device is noticed when the app is opened again',
  { tag: '@full' },
  async ({ person, server, phone }) => {
    await makeProfile(person);
    const { page } = phone;
    await phone.signInAs(person);
    await phone.open('/settings');
    await expect(page.getByText('Not confirmed yet')).toBeVisible();
    const token = (await readLink(server, person, 'verify')).split('#t=')[1];
    await person.call('POST', '/email/verify', { token });
    await phone.open('/');
    await expect(page.getByRole(...heading(person.name))).toBeVisible();
    await expect(page.getByRole('region', { name: 'E-mail' })).toHaveCount(0);
  },
);

test(
  '“It wasn’t me” signs out all devices and offers a new password',
  { tag: '@full' },
  async ({ person, server, phone, newDevice }) => {
    await makeProfile(person);
    const other = await newDevice();
    other.allowBrowserError(/status of 401/);
    await other.signInAs(person);
    await other.open('/');
    await expect(other.page.getByRole(...heading(person.name))).toBeVisible();
    await signInByApi(server.url, person);
    await phone.open(await readLink(server, person, 'signin.new'));
    const { page } = phone;
    await expect(page.getByRole(...heading('Sign out all devices'))).toBeVisible();
    await expectAccessible(page);
    expect((await person.call('GET', '/user')).status).toBe(200);
    await page.getByRole('button', { name: 'Sign out all devices' }).click();
    await expect(page.getByRole(...heading('All devices are signed out'))).toBeVisible();
    expect((await person.call('GET', '/user')).status).toBe(401);
    await other.open('/');
    await expect(other.page.getByText('You have been signed out.')).toBeVisible();
    await page.getByRole('link', { name: 'Choose a new password' }).click();
    await expect(page.getByRole(...heading('Forgot your password?'))).toBeVisible();
  },
);
