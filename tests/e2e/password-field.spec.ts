import type { Locator } from '@playwright/test';
import { sheet } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

const getCaret = (field: Locator) =>
  field.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd]);

test('shows a typed password while the button is pressed, and keeps focus, caret and what password managers read', async ({
  person,
  phone,
}) => {
  await makeProfile(person);
  const { page } = phone;
  await phone.open('/login');
  const field = page.getByLabel('Password', { exact: true });
  const show = page.getByRole('button', { name: 'Show password' });
  await page.getByLabel('E-mail').fill(person.email);
  await field.fill(person.password);
  await field.evaluate((input: HTMLInputElement) => input.setSelectionRange(2, 4));
  await expect(show).toHaveAttribute('aria-pressed', 'false');
  const box = (await show.boundingBox())!;
  expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(44);

  await show.click();
  await expect(field).toHaveAttribute('type', 'text');
  await expect(field).toBeFocused();
  await expect.poll(() => getCaret(field)).toEqual([2, 4]);
  await expect(field).toHaveAttribute('autocomplete', 'current-password');
  await expect(show).toHaveAttribute('aria-pressed', 'true');
  await expectAccessibleInBothSchemes(page);
  await show.press('Enter');
  await expect(field).toHaveAttribute('type', 'password');
  await expect(show).toBeFocused();
  await expect(field).toHaveValue(person.password);

  await show.click();
  const types: (string | null)[] = [];
  await page.route('**/login', async (route) => {
    types.push(await field.getAttribute('type'));
    await route.continue();
  });
  await field.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
  expect(types).toEqual(['password']);
});

test('has a button for each password where two are asked for', { tag: '@full' }, async ({ person, newDevice }) => {
  await makeProfile(person);
  const desktop = await newDevice({ shape: 'desktop' });
  const { page } = desktop;
  await desktop.signInAs(person);
  await desktop.open('/settings');
  await page.getByRole('button', { name: 'Change password' }).click();
  const form = sheet(page, 'Change password');
  await form.getByRole('button', { name: 'Show new password' }).click();
  await expect(form.getByLabel('New password', { exact: true })).toHaveAttribute('type', 'text');
  await expect(form.getByLabel('Current password', { exact: true })).toHaveAttribute('type', 'password');
  await expectAccessibleInBothSchemes(page);
  await form.getByRole('button', { name: 'Show current password' }).click();
  await expect(form.getByLabel('Current password', { exact: true })).toHaveAttribute('type', 'text');
});
