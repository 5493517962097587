import type { Page } from '@playwright/test';
import {
  addCredit,
  addSkill,
  card,
  chooseFromRowMenu,
  openAdd,
  openSignedIn,
  fillSignIn,
  openWaiting,
  pill,
  row,
  save,
  sheet,
  signIn,
  getSkills,
  writeAboutMe,
} from './support/actions.ts';
import { type Person, makeProfile } from './support/people.ts';
import { rewriteQueuedChange } from './support/client-store.ts';
import type { Device } from './support/device.ts';
import { expect, test } from './support/test.ts';

interface CreditRow {
  id: string;
  experience_title: string;
  details: string;
  production_details: string | null;
}

const CREDIT = {
  experience_type: 'Theatre',
  experience_title: 'Paper Boats',
  details: 'Meera',
  production_details: 'Devika Rao',
  start_month: 3,
  start_year: 2024,
  end_month: 3,
  end_year: 2024,
};

async function withCredit(person: Person) {
  const profile = await makeProfile(person);
  const made = await person.call<{ data: CreditRow }>('POST', '/profile/experience', {
    ...CREDIT,
    profile_id: profile.id,
  });
  expect(made.status).toBe(201);
  const path = `/profile/experience/${made.body.data.id}`;
  const list = async () =>
    (await person.call<CreditRow[]>('GET', `/profile/experiences/${profile.id}`)).body.map(
      ({ experience_title, details, production_details }) => [experience_title, details, production_details],
    );
  return { profile, path, list };
}

/** Edits the only credit offline, while `elsewhere` changes it on another device. */
async function editOffline(
  phone: Device,
  changed: { role?: string; director?: string },
  elsewhere: () => Promise<unknown>,
): Promise<void> {
  const { page } = phone;
  await phone.readyForOffline();
  await phone.context.setOffline(true);
  await chooseFromRowMenu(page, row(card(page, 'Credits'), 'Paper Boats'), 'Edit');
  const form = sheet(page, 'Edit credit');
  if (changed.role) await form.getByLabel('Role').fill(changed.role);
  if (changed.director) await form.getByLabel('Director').fill(changed.director);
  await save(page, 'Edit credit');
  await elsewhere();
  await phone.context.setOffline(false);
}

const saved = (page: Page) => expect(page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible();

test.beforeEach(({ phone }) => {
  phone.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
});

test('reopens the filled form with its errors when the server refuses it days later', async ({
  phone,
  person,
  server,
}) => {
  const { page } = phone;
  const profile = await makeProfile(person);
  await openSignedIn(page, person);
  await phone.readyForOffline();
  await server.stop();
  await addCredit(page, { project: 'Paper Boats', role: 'Meera', director: 'Devika Rao' });
  // Written three days ago by an older version of the app, whose form lacked one rule.
  await rewriteQueuedChange(page, 'experience', { start_year: 1850, end_year: 1850 }, 3 * 24 * 3_600_000);

  await server.start();
  phone.allowBrowserError(/status of 422/);
  // On the profile page the form would open on its own.
  await phone.open('/waiting');
  await expect(pill(page)).toHaveText('1 needs you', { timeout: 20_000 });
  await expect(row(page, 'Paper Boats')).toContainText('What you typed is safe');
  await row(page, 'Paper Boats').getByRole('button', { name: 'Fix it' }).click();
  const form = sheet(page, /credit$/);
  await expect(form.getByLabel('Project name')).toHaveValue('Paper Boats');
  await expect(form.getByLabel('Role')).toHaveValue('Meera');
  await expect(form.getByLabel('Start year')).toHaveAttribute('aria-invalid', 'true');
  await expect(form.getByRole('alert')).toContainText('What you typed is safe.');

  await form.getByLabel('Start year').selectOption('2024');
  await form.getByLabel('End year').selectOption('2024');
  await save(page, /credit$/);
  await saved(page);
  const { body } = await person.call('GET', `/profile/experiences/${profile.id}`);
  expect(body).toMatchObject([{ experience_title: 'Paper Boats', start_year: 2024, end_year: 2024 }]);
  await phone.open('/');
  await expect(row(card(page, 'Credits'), 'Paper Boats')).toHaveCount(1);
});

test('two devices changed one field: lets the user choose field by field', async ({ phone, person }) => {
  const { page } = phone;
  const { path, list } = await withCredit(person);
  await openSignedIn(page, person);
  phone.allowBrowserError(/status of 412/);
  await editOffline(phone, { role: 'Meera the elder', director: 'Asha Kale' }, () =>
    person.call('PUT', path, { details: 'Young Meera', production_details: 'Rangvedh Company' }),
  );

  await expect(pill(page)).toHaveText('1 needs you');
  await row(card(page, 'Credits'), 'Paper Boats')
    .getByRole('link', { name: /needs you$/ })
    .click();
  await page.getByRole('button', { name: 'Choose a version' }).click();
  const chooser = sheet(page, 'Which one is right?');
  await expect(chooser.getByRole('radio', { name: /This phone/ })).toBeChecked();
  await chooser.getByRole('button', { name: 'Pick line by line instead' }).click();
  await chooser.getByRole('radio', { name: /Rangvedh Company/ }).check();
  await chooser.getByRole('button', { name: 'Keep these lines' }).click();
  await saved(page);
  expect(await list()).toEqual([['Paper Boats', 'Meera the elder', 'Rangvedh Company']]);
});

for (const [side, keep] of [
  ['This phone', 'Keep this phone'],
  ['Other version', 'Keep the other version'],
] as const) {
  test(`two devices changed one field: keeps ${side} entirely`, { tag: '@full' }, async ({ phone, person }) => {
    const { page } = phone;
    const { path, list } = await withCredit(person);
    await openSignedIn(page, person);
    phone.allowBrowserError(/status of 412/);
    await editOffline(phone, { role: 'Meera the elder' }, () => person.call('PUT', path, { details: 'Young Meera' }));
    await expect(pill(page)).toHaveText('1 needs you');
    await openWaiting(page);
    await page.getByRole('button', { name: 'Choose a version' }).click();
    const chooser = sheet(page, 'Which one is right?');
    await chooser.getByRole('radio', { name: new RegExp(side) }).check();
    await chooser.getByRole('button', { name: keep }).click();
    await saved(page);
    const role = side === 'This phone' ? 'Meera the elder' : 'Young Meera';
    expect(await list()).toEqual([['Paper Boats', role, 'Devika Rao']]);
    await phone.open('/');
    await expect(row(card(page, 'Credits'), role)).toHaveCount(1);
  });
}

test('two devices changed different fields: merges without asking', { tag: '@full' }, async ({ phone, person }) => {
  const { page } = phone;
  const { path, list } = await withCredit(person);
  await openSignedIn(page, person);
  phone.allowBrowserError(/status of 412/);
  await editOffline(phone, { role: 'Meera the elder' }, () =>
    person.call('PUT', path, { production_details: 'Rangvedh Company' }),
  );
  await expect.poll(list).toEqual([['Paper Boats', 'Meera the elder', 'Rangvedh Company']]);
  await expect(pill(page)).toHaveCount(0);
});

test('a draft from before another device’s edit overwrites none of it', async ({ phone, person }) => {
  const { page } = phone;
  const { path, list } = await withCredit(person);
  await openSignedIn(page, person);
  await chooseFromRowMenu(page, row(card(page, 'Credits'), 'Paper Boats'), 'Edit');
  const form = sheet(page, 'Edit credit');
  await form.getByLabel('Role').fill('Meera the elder');
  await person.call('PUT', path, { details: 'Young Meera', production_details: 'Rangvedh Company' });
  await phone.open('/waiting');
  await phone.open('/');
  await expect(row(card(page, 'Credits'), 'Young Meera')).toBeVisible();

  await chooseFromRowMenu(page, row(card(page, 'Credits'), 'Paper Boats'), 'Edit');
  await expect(form.getByText('Picked up where you left off')).toBeVisible();
  await expect(form.getByLabel('Role')).toHaveValue('Meera the elder');
  await expect(form.getByLabel('Director')).toHaveValue('Rangvedh Company');
  phone.allowBrowserError(/status of 412/);
  await save(page, 'Edit credit');
  await expect(pill(page)).toHaveText('1 needs you');
  expect(await list()).toEqual([['Paper Boats', 'Young Meera', 'Rangvedh Company']]);
});

test('keeps what was typed in a form whose only record appears from another device', async ({ phone, person }) => {
  const { page } = phone;
  const profile = await makeProfile(person);
  await openSignedIn(page, person);
  await openAdd(page, 'Social Media / Links');
  await sheet(page, 'Add links').getByLabel('Instagram').fill('https://instagram.com/meera');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
  const theirs = { profile_id: profile.id, website_url: 'https://meera.example' };
  await person.call('POST', '/social-links', theirs);
  await phone.open('/waiting');
  await phone.open('/');
  const links = card(page, 'Social Media / Links');
  await expect(links.getByText('meera.example')).toBeVisible();

  await chooseFromRowMenu(page, links, 'Edit');
  const form = sheet(page, 'Edit links');
  await expect(form.getByText('Picked up where you left off')).toBeVisible();
  await expect(form.getByLabel('Instagram')).toHaveValue('https://instagram.com/meera');
  await expect(form.getByLabel('Website')).toHaveValue('https://meera.example');
  await save(page, 'Edit links');
  await expect(links.getByText('meera.example')).toBeVisible();
  await chooseFromRowMenu(page, links, 'Edit');
  await expect(form.getByLabel('Instagram')).toHaveValue('https://instagram.com/meera');
  await expect(form.getByText('Picked up where you left off')).toHaveCount(0);
});

for (const [way, left] of [
  ['Keep it', [['Paper Boats', 'Young Meera', 'Devika Rao']]],
  ['Delete it', []],
] as const) {
  test(`deleted here, changed elsewhere: ${way}`, { tag: '@full' }, async ({ phone, person }) => {
    const { page } = phone;
    const { path, list } = await withCredit(person);
    await openSignedIn(page, person);
    phone.allowBrowserError(/status of 412/);
    await expect(row(card(page, 'Credits'), 'Paper Boats')).toBeVisible();
    await page.context().setOffline(true);
    await chooseFromRowMenu(page, row(card(page, 'Credits'), 'Paper Boats'), 'Delete');
    await expect(row(card(page, 'Credits'), 'Paper Boats')).toHaveCount(0);
    await person.call('PUT', path, { details: 'Young Meera' });
    await page.context().setOffline(false);

    await expect(pill(page)).toHaveText('1 needs you', { timeout: 15_000 });
    await openWaiting(page);
    await expect(row(page, 'Paper Boats')).toContainText('since been changed on another device');
    await row(page, 'Paper Boats').getByRole('button', { name: way }).click();
    await saved(page);
    await expect.poll(list).toEqual(left);
    await phone.open('/');
    await expect(card(page, 'Credits')).toBeVisible();
    await expect(row(card(page, 'Credits'), 'Paper Boats')).toHaveCount(left.length);
  });
}

test('changed here, deleted elsewhere: offers to create it again', { tag: '@full' }, async ({ phone, person }) => {
  const { page } = phone;
  const { path, list } = await withCredit(person);
  await openSignedIn(page, person);
  phone.allowBrowserError(/status of 404/);
  await editOffline(phone, { role: 'Meera the elder' }, () => person.call('DELETE', path));
  await expect(pill(page)).toHaveText('1 needs you');
  await expect(row(card(page, 'Credits'), 'Meera the elder')).toHaveCount(1);
  await openWaiting(page);
  await expect(row(page, 'Paper Boats')).toContainText('Deleted on another device');
  await row(page, 'Paper Boats').getByRole('button', { name: 'Recreate' }).click();
  await saved(page);
  expect(await list()).toEqual([['Paper Boats', 'Meera the elder', 'Devika Rao']]);
});

test('signed out by another device: shows a banner, and sends after signing in again', async ({ phone, person }) => {
  const { page } = phone;
  const profile = await makeProfile(person);
  await signIn(page, person);
  await expect(card(page, 'Skills')).toBeVisible();
  const { body: sessions } = await person.call<{ id: string; current: boolean }[]>('GET', '/sessions');
  for (const session of sessions) if (!session.current) await person.call('DELETE', `/sessions/${session.id}`);

  phone.allowBrowserError(/status of 401/);
  await addSkill(page, 'Kathak', 'Expert');
  await expect(page.getByText('Sign in again to send 1 change.').first()).toBeVisible();
  await expect(pill(page)).toHaveText('Sign in to send');
  expect(await getSkills(person, profile.id)).toEqual([]);
  // Everything remains readable and editable.
  await writeAboutMe(page, 'Still working');
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await fillSignIn(page, person);
  await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(1);
  await expect.poll(() => getSkills(person, profile.id)).toEqual(['Kathak']);
  await expect(pill(page)).toHaveCount(0);
  expect((await person.call('GET', `/profile/aboutme/${profile.id}`)).body).toMatchObject({
    description: 'Still working',
  });
});

test('leaves no trace of an undone delete', { tag: '@full' }, async ({ phone, person }) => {
  const { page } = phone;
  const { list } = await withCredit(person);
  await openSignedIn(page, person);
  await chooseFromRowMenu(page, row(card(page, 'Credits'), 'Paper Boats'), 'Delete');
  await expect(row(card(page, 'Credits'), 'Paper Boats')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(card(page, 'Credits'), 'Paper Boats')).toHaveCount(1);
  await expect(pill(page)).toHaveCount(0);
  await phone.open('/');
  await expect(row(card(page, 'Credits'), 'Paper Boats')).toHaveCount(1);
  expect(await list()).toHaveLength(1);
});

test('restores text left in an open form', async ({ ownPhone: phone, person }) => {
  const { page } = phone;
  await makeProfile(person);
  await openSignedIn(page, person);
  await card(page, 'Skills').getByRole('button', { name: 'Add a skill' }).click();
  await sheet(page, 'Add skill').getByLabel('Skill', { exact: true }).fill('Sword fighting');
  await sheet(page, 'Add skill').getByText('Expert', { exact: true }).click();
  await expect(sheet(page, 'Add skill').getByRole('radio', { name: 'Expert' })).toBeChecked();
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
  await expect(sheet(page, 'Add skill')).toHaveCount(0);

  await phone.close();
  await phone.relaunch();
  await phone.open('/');
  await card(phone.page, 'Skills').getByRole('button', { name: 'Add a skill' }).click();
  const form = sheet(phone.page, 'Add skill');
  await expect(form.getByText('Picked up where you left off')).toBeVisible();
  await expect(form.getByLabel('Skill', { exact: true })).toHaveValue('Sword fighting');
  await expect(form.getByRole('radio', { name: 'Expert' })).toBeChecked();
  await save(phone.page, 'Add skill');
  await expect(row(card(phone.page, 'Skills'), 'Sword fighting')).toHaveCount(1);
});
