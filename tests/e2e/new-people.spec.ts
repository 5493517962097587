import { expectAllSaved, openWaiting, signUp, makeProfileInWizard } from './support/actions.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './support/axe.ts';
import { getOutbox } from './support/client-store.ts';
import { confirmEmail, readLink } from './support/mail.ts';
import { buildAccount, getProfilePath, makePerson, makeProfile, signInByApi } from './support/people.ts';
import { expect, test } from './support/test.ts';

test.describe('on a server that asks new people to confirm their e-mail', () => {
  test.beforeAll(async ({ server }) => {
    await server.stop();
    await server.start({ CONFIRM_EMAIL: '1' });
  });
  test.afterAll(async ({ server }) => {
    await server.stop();
    await server.start();
  });

  test('a request waits on the phone, visibly, and arrives once after the link was opened', async ({
    server,
    phone,
  }) => {
    phone.allowBrowserError(/status of 403/);
    const meera = await makePerson(server.url);
    const profile = await makeProfile(meera, { title: 'Casting director' });
    await confirmEmail(server, meera);
    const account = buildAccount();
    const { page } = phone;
    await signUp(page, account);
    await makeProfileInWizard(page, 'Actor / Performer', 'Actor', 'Pune');
    const reminder = page.getByRole('region', { name: 'E-mail' });
    await expectAccessibleInBothSchemes(page);
    await expect(reminder).toContainText('Until you open it, only you see your profile');
    const visibility = page.getByRole('switch', { name: /^Active/ });
    await expect(visibility).toHaveAccessibleName(/only you see it$/);
    const own = await signInByApi(server.url, account);
    expect((await meera.call('GET', `/profiles/shared/all/${own.id}`)).body).toEqual([]);

    await phone.open(await getProfilePath(meera, profile.id));
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await openWaiting(page);
    await expect(page.getByText('Confirm your e-mail address first. Then this is sent by itself.')).toBeVisible();
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('button', { name: /^See what to do/ }).click();
    await expect(reminder).toBeVisible();

    await phone.open(await readLink(server, account, 'verify'));
    await page.getByRole('button', { name: 'Confirm e-mail' }).click();
    await page.getByRole('link', { name: 'Go to your profile' }).click();
    await expectAllSaved(page);
    expect(await getOutbox(page)).toEqual([]);
    const asked = await meera.call<{ name: string }[]>('GET', '/connections/requests/received');
    expect(asked.body).toMatchObject([{ name: account.name }]);
    expect((await meera.call('GET', `/profiles/shared/all/${own.id}`)).body).toHaveLength(1);
    await expect(visibility).toHaveAccessibleName(/public$/);
  });
});

test('changes the name and the e-mail in Settings', { tag: '@full' }, async ({ person, server, phone }) => {
  phone.allowBrowserError(/status of 401/);
  await confirmEmail(server, person);
  await makeProfile(person);
  const { page } = phone;
  await phone.signInAs(person);
  await phone.open('/settings');
  await page.getByRole('button', { name: 'Change name' }).click();
  await page.getByLabel('Your name').fill('Asha Rao-Menon');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('main').getByText('Asha Rao-Menon')).toBeVisible();

  const email = buildAccount().email;
  await page.getByRole('button', { name: 'Change e-mail' }).click();
  const sheet = page.getByRole('dialog', { name: 'Change e-mail' });
  await sheet.getByRole('button', { name: 'Send the link' }).click();
  await expect(sheet.getByText('Enter your e-mail')).toBeVisible();
  await sheet.getByLabel('New e-mail').fill(email);
  await expectAccessibleInBothSchemes(page);
  await sheet.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText(`${email} replaces it as soon as you open the link`)).toBeVisible();
  await expectAccessible(page);

  await phone.open(await readLink(server, { email }, 'email.change'));
  await page.getByRole('button', { name: 'Confirm e-mail' }).click();
  await page.getByRole('link', { name: 'Go to your profile' }).click();
  await phone.open('/settings');
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByText(person.email)).toHaveCount(0);

  await phone.open(await readLink(server, person, 'email.changed'));
  await page.getByRole('button', { name: 'Sign out all devices' }).click();
  await expect(page.getByText(`your e-mail is ${person.email} again`)).toBeVisible();
  await signInByApi(server.url, person);
});
