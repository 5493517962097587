import { card, sheet } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { letWorkAtDesk } from './support/desk-worker.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

const WRONG = `${new Date().getUTCFullYear() - 15}-03-05`;
const RIGHT = '1994-08-17';

test('a person corrects a date that made them a minor: declined, asked again, granted, and back at once', async ({
  server,
  newDevice,
}) => {
  const person = await makePerson(server.url, { born_on: WRONG });
  await makeProfile(person);
  const operator = await makePerson(server.url, { name: 'Ishaan Sethi' });
  await letWorkAtDesk(server, operator);
  const [phone, desk] = [await newDevice({ shape: 'phone' }), await newDevice({ shape: 'desktop' })];
  const { page } = phone;
  await phone.signInAs(person);
  await desk.signInAs(operator);
  await phone.open('/settings');
  const age = card(page, 'Date of birth');
  const visitors = card(page, 'What visitors see');
  await expect(age).toContainText('5 Mar');

  const askFor = async (opener: string, reason: string) => {
    await age.getByRole('button', { name: opener }).click();
    const form = sheet(page, 'Date of birth');
    await form.getByLabel('Your date of birth').fill(RIGHT);
    await expect(form).toContainText('a person at Callboard checks it first');
    await form.getByLabel(/^What should we know\?/).fill(reason);
    await expectAccessibleInBothSchemes(page);
    await form.getByRole('button', { name: 'Send' }).click();
    await expect(age).toContainText('We are checking 17 Aug 1994');
  };
  await askFor('Correct date of birth', 'I mistyped the year.');
  await expectAccessibleInBothSchemes(page);
  await age.getByRole('button', { name: 'Take it back' }).click();
  await expect(age).not.toContainText('We are checking');
  await askFor('Correct date of birth', 'I mistyped the year.');

  await desk.open('/desk');
  await desk.page.getByRole('link', { name: /^Dates of birth \(\d+\)$/ }).click();
  const request = desk.page.getByRole('listitem').filter({ hasText: person.name });
  await expect(request).toContainText('I mistyped the year.');
  await expectAccessibleInBothSchemes(desk.page);
  await request.getByRole('button', { name: 'Decline' }).click();
  const decline = sheet(desk.page, 'Decline');
  await decline.getByLabel(`What ${person.name} reads`).fill('Your page says otherwise. Please correct it first.');
  await expectAccessibleInBothSchemes(desk.page);
  await decline.getByRole('button', { name: 'Decline', exact: true }).click();
  await expect(request).toHaveCount(0);

  await page.reload();
  await expect(age).toContainText('Your page says otherwise.');
  await expectAccessibleInBothSchemes(page);
  await askFor('Ask again', 'I have corrected the page.');

  await desk.page.reload();
  await expect(request).toContainText('1 request declined before.');
  await request.getByRole('button', { name: 'Correct' }).click();
  await sheet(desk.page, 'Correct the date').getByRole('button', { name: 'Correct the date', exact: true }).click();
  await expect(request).toHaveCount(0);
  await page.reload();
  await expect(age).toContainText('17 Aug 1994');
  await expect(visitors.getByRole('switch')).toHaveCount(4);

  // Becoming a minor counts at once, and says before what follows.
  await age.getByRole('button', { name: 'Correct date of birth' }).click();
  const form = sheet(page, 'Date of birth');
  await form.getByLabel('Your date of birth').fill(WRONG);
  await form.getByRole('button', { name: 'Save' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('only you see your profile, until a parent or guardian agrees');
  await expectAccessibleInBothSchemes(page);
  await question.getByRole('button', { name: 'Yes, save it' }).click();
  await expect(age).toContainText('5 Mar');
  await expect(visitors.getByLabel('E-mail of a parent or guardian')).toBeVisible();
});

test('says when the date of birth cannot be loaded or corrected', async ({ server, phone }) => {
  phone.allowBrowserError(/ERR_INTERNET_DISCONNECTED|status of 50\d/);
  const person = await makePerson(server.url, { born_on: WRONG });
  await makeProfile(person);
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
  await expect(age).toContainText('No connection.');
});
