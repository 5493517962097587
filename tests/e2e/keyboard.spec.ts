import type { Locator, Page } from '@playwright/test';
import { card, chooseFromRowMenu, row, sheet } from './support/actions.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Presses Tab until the element has the focus; no other key may be needed. */
async function tabTo(page: Page, where: Locator): Promise<void> {
  const isThere = () => where.evaluate((element) => element === document.activeElement);
  for (let steps = 0; steps < 60; steps += 1) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  await expect(where).toBeFocused();
}

test('adds a credit with the keyboard alone', async ({ person, newDevice }) => {
  const { id } = await makeProfile(person);
  const desk = await newDevice({ shape: 'desktop' });
  const { page } = desk;
  await desk.signInAs(person);
  await desk.open('/');

  const add = card(page, 'Credits').getByRole('button', { name: 'Add a credit' });
  await expect(add).toBeVisible();
  await tabTo(page, add);
  await page.keyboard.press('Enter');
  const form = sheet(page, 'Add credit');
  await expect(form).toBeVisible();
  await tabTo(page, form.getByRole('radio', { name: 'Theatre' }));
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(form.getByRole('radio', { name: 'Movie' })).toBeChecked();
  const type = async (label: string, words: string) => {
    await tabTo(page, form.getByLabel(label));
    await page.keyboard.type(words);
  };
  await type('Project name', 'Paper Boats');
  await type('Role', 'Meera');
  for (const label of ['Start month', 'Start year', 'End month', 'End year']) {
    await type(label, label.endsWith('month') ? 'Mar' : '2024');
  }
  await page.keyboard.press('Enter');
  await tabTo(page, form.getByRole('button', { name: 'Save' }));
  await page.keyboard.press('Enter');

  await expect(form).toHaveCount(0);
  await expect(row(card(page, 'Credits'), 'Paper Boats')).toContainText('Meera · Movie');
  await expect
    .poll(async () => (await person.call('GET', `/profile/experiences/${id}`)).body)
    .toMatchObject([{ experience_type: 'Movie', details: 'Meera', start_month: 3, end_year: 2024 }]);
  // The row that opened the form is gone; the focus is on the element that replaced it.
  await expect(card(page, 'Credits').getByRole('button', { name: 'Add to Credits' })).toBeFocused();
});

test('names the missing fields and moves the focus to the first', async ({ person, newDevice }) => {
  await makeProfile(person);
  const desk = await newDevice({ shape: 'desktop' });
  const { page } = desk;
  await desk.signInAs(person);
  await desk.open('/');
  await card(page, 'Skills').getByRole('button', { name: 'Add a skill' }).press('Enter');
  const form = sheet(page, 'Add skill');
  await expect(form.getByLabel('Skill', { exact: true })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(form.getByRole('alert')).toHaveText('Fill in the two required fields.');
  await expect(form.getByLabel('Skill', { exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);
  await expect(card(page, 'Skills').getByRole('button', { name: 'Add a skill' })).toBeFocused();
});

test('changes the playing age by keys, in handles and boxes alike', { tag: '@full' }, async ({ person, newDevice }) => {
  const { id } = await makeProfile(person, {});
  const desk = await newDevice({ shape: 'desktop' });
  const { page } = desk;
  await desk.signInAs(person);
  await desk.open('/');
  await page.getByRole('button', { name: 'Edit Profile' }).press('Enter');
  const form = sheet(page, 'Edit Profile');
  const youngest = form.getByRole('slider', { name: 'Youngest' });
  const oldest = form.getByRole('slider', { name: 'Oldest' });
  await expect(youngest).toHaveAttribute('aria-valuenow', '10');
  await expect(oldest).toHaveAttribute('aria-valuenow', '50');
  await tabTo(page, youngest);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('PageUp');
  await expect(youngest).toHaveAttribute('aria-valuenow', '16');
  await expect(form.getByLabel('Youngest age')).toHaveValue('16');
  // The handles stay six years apart.
  await page.keyboard.press('End');
  await expect(youngest).toHaveAttribute('aria-valuenow', '44');
  await page.keyboard.press('Home');
  await expect(youngest).toHaveAttribute('aria-valuenow', '0');
  await tabTo(page, oldest);
  await page.keyboard.press('End');
  await expect(form.getByLabel('Oldest age')).toHaveValue('100');
  await form.getByLabel('Oldest age').press('ControlOrMeta+a');
  await page.keyboard.type('62');
  await expect(oldest).toHaveAttribute('aria-valuenow', '62');
  await form.getByRole('button', { name: 'Save' }).press('Enter');
  await expect(form).toHaveCount(0);
  await expect(card(page, 'You')).toContainText('0 to 62');
  await expect
    .poll(async () => (await person.call('GET', `/profile/details/${id}`)).body)
    .toMatchObject({ min_age_range: 0, max_age_range: 62 });
});

test('passes the focus from a row that disappears to the next one', async ({ server, person, newDevice }) => {
  const { id } = await makeProfile(person);
  for (const experience_title of ['Paper Boats', 'Monsoon']) {
    const credit = { profile_id: id, experience_type: 'Theatre', experience_title, details: 'Meera' };
    const dates = { start_month: 3, start_year: 2024, end_month: 3, end_year: 2024 };
    expect((await person.call('POST', '/profile/experience', { ...credit, ...dates })).status).toBe(201);
  }
  for (let n = 0; n < 2; n += 1) {
    const other = await makePerson(server.url);
    const profile = await makeProfile(other);
    await person.call('POST', `/profile/${profile.id}/save`);
    await other.call('POST', `/connections/request/${person.id}`);
  }
  const desk = await newDevice({ shape: 'desktop' });
  const { page } = desk;
  await desk.signInAs(person);
  await desk.open('/');
  await chooseFromRowMenu(page, card(page, 'Credits').getByRole('listitem').first(), 'Delete');
  await expect(card(page, 'Credits').getByRole('listitem')).toHaveCount(1);
  await expect(card(page, 'Credits').getByRole('button', { name: /^More for/ })).toBeFocused();
  await chooseFromRowMenu(page, card(page, 'Credits').getByRole('listitem'), 'Delete');
  await expect(card(page, 'Credits').getByRole('button', { name: 'Add a credit' })).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();

  await desk.open('/saved');
  const saved = card(page, 'Saved profiles').getByRole('listitem');
  await expect(saved).toHaveCount(2);
  await saved.first().getByRole('button').press('Enter');
  await expect(saved).toHaveCount(1);
  await expect(saved.getByRole('link')).toBeFocused();

  await desk.open('/notifications');
  const fresh = card(page, 'New').getByRole('listitem');
  await expect(fresh).toHaveCount(2);
  await fresh
    .first()
    .getByRole('button', { name: /^Accept/ })
    .press('Enter');
  await expect(fresh).toHaveCount(1);
  await expect(fresh.getByRole('link')).toBeFocused();
  await fresh.getByRole('button', { name: /^Not now/ }).press('Enter');
  await expect(card(page, 'New')).toHaveCount(0);
  await expect(page.getByRole('main')).toBeFocused();
});
