import type { Page } from '@playwright/test';
import { sheet } from './support/actions.ts';
import { makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Opens Edit Profile on the own profile, with another page of the app before it in the history. */
async function editFromConnections(page: Page): Promise<void> {
  await page.goto('/connections');
  await page.getByRole('link', { name: 'Callboard, home' }).click();
  await openEditor(page);
}

async function openEditor(page: Page) {
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expect(sheet(page, 'Edit Profile')).toBeVisible();
}

/** Waits until all history navigation has finished, then returns the page's location. */
const getPath = (page: Page) =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 30; frame += 1) await new Promise(requestAnimationFrame);
    return location.pathname;
  });

test('closes one sheet and stays on the page when closed twice in a row', async ({ person, newDevice }) => {
  await makeProfile(person);
  const device = await newDevice({ shape: 'desktop' });
  const { page } = device;
  await device.signInAs(person);
  await editFromConnections(page);
  const form = sheet(page, 'Edit Profile');

  await test.step('by a double tap on Discard', async () => {
    await form.getByRole('button', { name: 'Discard' }).dblclick();
    await expect(form).toHaveCount(0);
    expect(await getPath(page)).toBe('/');
  });

  await test.step('by a double tap on the cross', async () => {
    await openEditor(page);
    await form.getByRole('button', { name: 'Close Edit Profile' }).dblclick();
    await expect(form).toHaveCount(0);
    expect(await getPath(page)).toBe('/');
  });

  await test.step('by Escape held down', async () => {
    await openEditor(page);
    for (let repeats = 0; repeats < 8; repeats += 1) await page.keyboard.down('Escape');
    await page.keyboard.up('Escape');
    await expect(form).toHaveCount(0);
    expect(await getPath(page)).toBe('/');
  });

  await test.step('by a double tap on Back of a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: /, your menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    // The second tap comes before the browser has navigated.
    await page.getByRole('button', { name: 'Back', exact: true }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await expect(page).not.toHaveURL(/settings/);
    expect(await getPath(page)).toBe('/');
  });
});

test(
  'asks once and keeps the sheet open while Escape is held over typed text',
  { tag: '@full' },
  async ({ person, newDevice }) => {
    await makeProfile(person);
    const device = await newDevice({ shape: 'desktop' });
    const { page } = device;
    await device.signInAs(person);
    await editFromConnections(page);
    const form = sheet(page, 'Edit Profile');
    await form.getByLabel('Title').fill('Actor');
    for (let repeats = 0; repeats < 8; repeats += 1) await page.keyboard.down('Escape');
    await page.keyboard.up('Escape');
    await expect(page.getByRole('alertdialog')).toBeVisible();

    // A browser lets a page cancel only the first Escape; the sheet must not close with the text in it.
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press('Escape');
    await expect(form.getByLabel('Title')).toHaveValue('Actor');
  },
);
