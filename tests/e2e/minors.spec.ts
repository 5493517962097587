import { makeProfileInWizard } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { confirmEmail, readLink } from './support/mail.ts';
import { buildAccount, makePerson, makeProfile, signInByApi } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** The day on which somebody is born who is this old. */
const bornYearsAgo = (years: number) => `${new Date().getUTCFullYear() - years}-01-01`;

test('a minor signs up, the guardian agrees and withdraws, and the page follows', async ({
  server,
  phone,
  newDevice,
}) => {
  phone.allowBrowserError(/status of 4(04|22)/);
  const [account, guardian] = [buildAccount(), buildAccount()];
  const { page } = phone;
  await phone.open('/register');
  await page.getByLabel('Your name').fill(account.name);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('Enter your date of birth')).toBeVisible();
  await page.getByLabel('Date of birth').fill(bornYearsAgo(15));
  // What was wrong is not said any more once it is mended.
  await expect(page.getByText('Enter your date of birth')).toHaveCount(0);
  await expect(page.getByText('One thing to fix.')).toHaveCount(0);
  const guardianField = page.getByLabel('E-mail of a parent or guardian');
  await expectAccessibleInBothSchemes(page);
  // Nobody is their own guardian.
  await guardianField.fill(account.email);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await expect(page.getByText('not your own')).toBeVisible();
  await guardianField.fill(guardian.email);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await makeProfileInWizard(page, 'Actor / Performer', 'Actor', 'Pune');
  const own = await signInByApi(server.url, account);
  await confirmEmail(server, own);
  await phone.open('/');
  const card = page.getByRole('region', { name: 'Your parent or guardian' });
  await expect(card).toContainText(guardian.email);
  await expect(card).toContainText('Until they agree, only you see your profile.');
  await expectAccessibleInBothSchemes(page);

  const visitor = await newDevice({ shape: 'desktop' });
  visitor.allowBrowserError(/status of 422/);
  const countShown = async () => (await own.call<unknown[]>('GET', `/profiles/shared/all/${own.id}`)).body.length;
  const other = await makePerson(server.url);
  const countSeen = async () => (await other.call<unknown[]>('GET', `/profiles/shared/all/${own.id}`)).body.length;
  expect([await countShown(), await countSeen()]).toEqual([1, 0]);
  const ask = await readLink(server, guardian, 'guardian.ask');
  await visitor.open(ask);
  await expect(
    visitor.page.getByRole('heading', { level: 1, name: `May ${account.name} have a public page?` }),
  ).toBeVisible();
  await expectAccessibleInBothSchemes(visitor.page);
  expect(await countSeen()).toBe(0);
  await visitor.page.getByRole('button', { name: 'I agree' }).click();
  await expect(visitor.page.getByRole('heading', { name: 'You have agreed' })).toBeVisible();
  await expectAccessibleInBothSchemes(visitor.page);
  expect(await countSeen()).toBe(1);
  await phone.open('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(card).toHaveCount(0);

  await visitor.open('/');
  await visitor.open(await readLink(server, guardian, 'guardian.done'));
  await visitor.page.getByRole('button', { name: 'Withdraw: hide the page' }).click();
  await expect(visitor.page.getByRole('heading', { name: 'The page is hidden' })).toBeVisible();
  expect(await countSeen()).toBe(0);
  await visitor.open('/');
  await visitor.open(ask);
  await expect(visitor.page.getByText('This link no longer works')).toBeVisible();
  await phone.open('/settings');
  const settings = page.getByRole('region', { name: 'What visitors see' });
  await expect(settings).toContainText('They no longer agree');
  await expectAccessibleInBothSchemes(page);
});

test(
  'a person chooses in Settings what visitors see, and the view as others shows it',
  { tag: '@full' },
  async ({ person, server, phone }) => {
    const { id } = await makeProfile(person);
    await confirmEmail(server, person);
    await person.call('PUT', '/profile/update', { profile_id: id, per_day: 12_345 });
    const { page } = phone;
    await phone.signInAs(person);
    await phone.open('/settings');
    const card = page.getByRole('region', { name: 'What visitors see' });
    const dayRate = card.getByRole('switch', { name: /^Day rate/ });
    await expect(dayRate).not.toBeChecked();
    await expect(card.getByText('agreed on')).toHaveCount(2);
    await expectAccessibleInBothSchemes(page);
    const other = await makePerson(server.url);
    const readDayRate = async () =>
      (await other.call<{ per_day: number | null }>('GET', `/profile/details/${id}`)).body.per_day;
    expect(await readDayRate()).toBeNull();
    await dayRate.check();
    await expect.poll(readDayRate).toBe(12_345);
  },
);

test('an older account is asked for age and agreement once, and goes on meanwhile', async ({ server, phone }) => {
  // As an app of before signs people up.
  const person = await makePerson(server.url, { born_on: undefined, terms: undefined, privacy: undefined });
  await makeProfile(person);
  await confirmEmail(server, person);
  const { page } = phone;
  await phone.signInAs(person);
  await phone.open('/');
  const age = page.getByRole('region', { name: 'When were you born?' });
  await expect(age).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await age.getByLabel('Date of birth').fill(bornYearsAgo(30));
  await age.getByRole('button', { name: 'Save' }).click();
  const terms = page.getByRole('region', { name: 'Our terms and privacy policy' });
  await expect(terms).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await terms.getByRole('button', { name: 'I agree' }).click();
  await expect(terms).toHaveCount(0);
  expect((await person.call<unknown[]>('GET', '/consents')).body).toHaveLength(2);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
  await expect(terms).toHaveCount(0);
});
