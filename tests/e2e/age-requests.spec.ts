import type { DeskAgeRequestList } from '#contract/records/desk.ts';
import { card, sheet } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { letWorkAtDesk } from './support/desk-worker.ts';
import { makePerson, makeProfile, type Person } from './support/people.ts';
import type { AppServer } from './support/server.ts';
import { expect, test } from './support/test.ts';

const WRONG = `${new Date().getUTCFullYear() - 15}-03-05`;
const RIGHT = '1994-08-17';

/** Somebody who gave a date under 18 by a slip. */
async function makeMinor({ url }: AppServer): Promise<Person> {
  const person = await makePerson(url, { born_on: WRONG });
  await makeProfile(person);
  return person;
}

async function makeOperator(server: AppServer): Promise<Person> {
  const operator = await makePerson(server.url, { name: 'Ishaan Sethi' });
  await letWorkAtDesk(server, operator);
  return operator;
}

/** Decides the open request of a person. */
async function decide(operator: Person, person: Person, act: 'age.grant' | 'age.decline', words: string | null) {
  const { body } = await operator.call<DeskAgeRequestList>('GET', '/desk/age-requests?limit=100');
  const request = body.data.find((each) => each.person.id === String(person.id));
  const done = await operator.call('POST', '/desk/acts', {
    act,
    target_type: 'age_request',
    target_id: request?.id,
    reason: 'other',
    words,
  });
  expect(done.status).toBe(201);
}

test(
  'a person asks to correct a date under 18, takes it back, reads why not, and asks again',
  { tag: '@full' },
  async ({ server, phone }) => {
    const [person, operator] = [await makeMinor(server), await makeOperator(server)];
    const { page } = phone;
    await phone.signInAs(person);
    await phone.open('/settings');
    const age = card(page, 'Date of birth');
    const openForm = async (opener: string) => {
      await age.getByRole('button', { name: opener }).click();
      const form = sheet(page, 'Date of birth');
      await form.getByLabel('Your date of birth').fill(RIGHT);
      await expect(form).toContainText('a person at Callboard checks it first');
      return form;
    };
    const form = await openForm('Correct date of birth');
    await form.getByLabel(/^What should we know\?/).fill('I mistyped the year.');
    await expectAccessibleInBothSchemes(page);
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(age).toContainText('We are checking 17 Aug 1994');
    await expect(age).toContainText('You wrote: I mistyped the year.');
    await expectAccessibleInBothSchemes(page);
    await age.getByRole('button', { name: 'Take it back' }).click();
    await expect(age).not.toContainText('We are checking');

    await (await openForm('Correct date of birth')).getByRole('button', { name: 'Send' }).click();
    await expect(age).toContainText('We are checking');
    await decide(operator, person, 'age.decline', 'Your page says otherwise.');
    await page.reload();
    await expect(age).toContainText('We did not change it to 17 Aug 1994.');
    await expect(age).toContainText('Your page says otherwise.');
    await (await openForm('Ask again')).getByRole('button', { name: 'Send' }).click();
    await expect(age).toContainText('We are checking');
    await decide(operator, person, 'age.grant', null);
    await page.reload();
    await expect(age).toContainText('17 Aug 1994');
    await expect(card(page, 'What visitors see').getByRole('switch')).toHaveCount(4);
  },
);

test(
  'an operator declines a request with words, and grants the next one',
  { tag: '@full' },
  async ({ server, newDevice }) => {
    const [person, operator] = [await makeMinor(server), await makeOperator(server)];
    await person.call('PUT', '/born-on', { born_on: RIGHT, reason: 'I mistyped the year.' });
    const desk = await newDevice({ shape: 'desktop' });
    const { page } = desk;
    await desk.signInAs(operator);
    await desk.open('/desk');
    await page.getByRole('link', { name: /^Dates of birth \(\d+\)$/ }).click();
    const request = page.getByRole('listitem').filter({ hasText: person.name });
    await expect(request).toContainText('I mistyped the year.');
    await expect(request).toContainText('17 Aug 1994, an adult');
    await expectAccessibleInBothSchemes(page);
    await request.getByRole('button', { name: 'Decline' }).click();
    const decline = sheet(page, 'Decline');
    await decline.getByLabel(`What ${person.name} reads`).fill('Your page says otherwise.');
    await decline.getByRole('button', { name: 'Decline', exact: true }).click();
    await expect(request).toHaveCount(0);

    await person.call('PUT', '/born-on', { born_on: RIGHT, reason: 'I have corrected the page.' });
    await page.reload();
    await expect(request).toContainText('1 request declined before.');
    await request.getByRole('button', { name: 'Correct' }).click();
    const grant = sheet(page, 'Correct the date');
    await expect(grant).toContainText('then counts as an adult');
    await expectAccessibleInBothSchemes(page);
    await grant.getByRole('button', { name: 'Correct the date', exact: true }).click();
    await expect(request).toHaveCount(0);
    expect((await person.call('GET', '/account')).body).toMatchObject({ born_on: RIGHT, is_minor: false });
  },
);

test('an adult who corrects the date to one under 18 reads what follows, which happens at once', async ({
  person,
  phone,
}) => {
  await makeProfile(person);
  const { page } = phone;
  await phone.signInAs(person);
  await phone.open('/settings');
  const age = card(page, 'Date of birth');
  const visitors = card(page, 'What visitors see');
  await expect(visitors.getByRole('switch')).toHaveCount(4);
  await age.getByRole('button', { name: 'Correct date of birth' }).click();
  const form = sheet(page, 'Date of birth');
  await form.getByLabel('Your date of birth').fill(WRONG);
  await form.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('only you see your profile, until a parent or guardian agrees');
  await expectAccessibleInBothSchemes(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect((await person.call('GET', '/account')).body).toMatchObject({ is_minor: false });
  await form.getByRole('button', { name: 'Save' }).click();
  await question.getByRole('button', { name: 'Yes, save it' }).click();
  await expect(age).toContainText('5 Mar');
  await expect(visitors.getByLabel('E-mail of a parent or guardian')).toBeVisible();
});

test('says when the date of birth cannot be loaded or corrected', { tag: '@full' }, async ({ server, phone }) => {
  phone.allowBrowserError(/ERR_INTERNET_DISCONNECTED|status of 50\d/);
  const person = await makeMinor(server);
  await person.call('PUT', '/born-on', { born_on: RIGHT });
  const { page } = phone;
  await phone.signInAs(person);
  await page.route('**/account', (route) => route.fulfill({ status: 503, json: { message: 'Not ready' } }));
  await phone.open('/settings');
  const age = card(page, 'Date of birth');
  await expect(age).toContainText('Not ready');
  await expectAccessibleInBothSchemes(page);
  await page.unroute('**/account');
  await age.getByRole('button', { name: 'Try again' }).click();
  await expect(age).toContainText('We are checking 17 Aug 1994');
  await phone.readyForOffline();
  await phone.context.setOffline(true);
  await expect(age).toContainText('Taking it back only works online.');
  await expect(age.getByRole('button')).toHaveCount(0);
  await page.reload();
  await expect(age).toContainText('You can see this when you’re back online.');
});
