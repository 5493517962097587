import { type Locator, type Page, expect } from '@playwright/test';
import { setToken } from './device.ts';
import type { Person } from './people.ts';
import type { Picture } from './pictures.ts';
import { getOutbox } from './client-store.ts';

/** User actions in the app, found by the texts on the screen. */

export interface Credit {
  kind?: 'Theatre' | 'Movie' | 'TV' | 'Video' | 'Cinema';
  project: string;
  role: string;
  director?: string;
}

export const ON_THIS_DEVICE = /^On this (phone|computer)$/;

export const sheet = (page: Page, title: string | RegExp) => page.getByRole('dialog', { name: title });
export const card = (page: Page, title: string) => page.getByRole('region', { name: title });
/** A row of a card, of Waiting to send or of a list in a sheet, found by a text in it. */
export const row = (where: Page | Locator, words: string | RegExp) =>
  where.getByRole('listitem').filter({ hasText: words });
/** The sync pill in the top bar: 'Sending 3', '2 waiting'. Absent when everything is saved. */
export const pill = (page: Page) => page.getByRole('banner').locator('a[href="/waiting"]');

/** Opens Waiting to send by the pill. The previous page stays visible until it loads, and may show the same texts. */
export async function openWaiting(page: Page): Promise<void> {
  await pill(page).click();
  await expect(page.locator('#waiting-truth')).toBeVisible();
}

/** Waits until the outbox is empty and the pill is gone. The pill renders late: its absence alone proves nothing. */
export async function expectAllSaved(page: Page): Promise<void> {
  await expect.poll(() => getOutbox(page), { timeout: 30_000 }).toEqual([]);
  await expect(pill(page)).toHaveCount(0);
}

export async function signUp(page: Page, account: { name: string; email: string; password: string }): Promise<void> {
  await page.goto('/register');
  await page.getByLabel('Your name').fill(account.name);
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByLabel('Date of birth').fill('1994-08-17');
  await page.getByRole('button', { name: 'Sign up' }).click();
}

export async function signIn(page: Page, account: { email: string; password: string }): Promise<void> {
  await page.goto('/login');
  await fillSignIn(page, account);
}

export async function fillSignIn(page: Page, account: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(account.email);
  await page.getByLabel('Password').fill(account.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens the app signed in as a person and waits for their own profile. */
export async function openSignedIn(page: Page, person: Person): Promise<void> {
  await setToken(page.context(), person);
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
}

/** Completes the two steps of the profile wizard. */
export async function makeProfileInWizard(page: Page, kind: string, title: string, city: string): Promise<void> {
  await page.getByRole('radio', { name: kind }).check();
  await page.getByRole('button', { name: /^Next/ }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('City').fill(city);
  await page.getByRole('button', { name: 'Make my profile' }).click();
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
}

/**
 * Clicks a button until the element that it opens is visible: a notice that appears above the button can move it away during
 * the click.
 */
export async function clickUntilOpen(button: Locator, opened: Locator): Promise<void> {
  await expect(async () => {
    if (!(await opened.isVisible())) await button.click({ timeout: 3000 });
    await expect(opened).toBeVisible({ timeout: 3000 });
  }).toPass({ timeout: 15_000 });
}

/** Clicks the Add button of a card, empty or not. */
export async function openAdd(page: Page, title: string): Promise<void> {
  const add = card(page, title).getByRole('button', { name: new RegExp(`^(Add to ${title}|Edit ${title}|Add )`) });
  await clickUntilOpen(add.first(), page.getByRole('dialog').first());
}

export async function fillCredit(page: Page, credit: Credit): Promise<void> {
  const form = sheet(page, /credit$/);
  await form.getByText(credit.kind ?? 'Theatre', { exact: true }).click();
  await form.getByLabel('Project name').fill(credit.project);
  await form.getByLabel('Role').fill(credit.role);
  if (credit.director) await form.getByLabel('Director').fill(credit.director);
  for (const end of ['Start', 'End']) {
    await form.getByLabel(`${end} month`).selectOption('3');
    await form.getByLabel(`${end} year`).selectOption('2024');
  }
}

/** Saves the open sheet and waits until it closes: then the change is stored on the device. */
export async function save(page: Page, title: string | RegExp): Promise<void> {
  await sheet(page, title).getByRole('button', { name: 'Save' }).click();
  await expect(sheet(page, title)).toHaveCount(0);
}

export async function addCredit(page: Page, credit: Credit): Promise<void> {
  await openAdd(page, 'Credits');
  await fillCredit(page, credit);
  await save(page, 'Add credit');
}

export async function addSkill(page: Page, name: string, level: 'Beginner' | 'Intermediate' | 'Expert'): Promise<void> {
  await openAdd(page, 'Skills');
  const form = sheet(page, 'Add skill');
  await form.getByLabel('Skill', { exact: true }).fill(name);
  await form.getByText(level, { exact: true }).click();
  await save(page, 'Add skill');
}

export async function writeAboutMe(page: Page, words: string): Promise<void> {
  await openAdd(page, 'About me');
  await sheet(page, 'About me').getByRole('textbox').fill(words);
  await save(page, 'About me');
}

/** Opens a menu by its button and chooses an entry. */
export async function chooseFromMenu(page: Page, button: Locator, entry: string): Promise<void> {
  const item = page.getByRole('menuitem', { name: entry });
  await clickUntilOpen(button, item);
  await item.click();
}

/** Opens a row's menu and chooses an entry. */
export async function chooseFromRowMenu(page: Page, rowOf: Locator, entry: string): Promise<void> {
  await chooseFromMenu(page, rowOf.getByRole('button', { name: /^More for/ }), entry);
}

export async function pickPhotos(page: Page, pictures: Picture[]): Promise<void> {
  await page.getByTestId('file-picker').setInputFiles(pictures);
}

/** Gives every picked file this name. */
export async function nameFiles(form: Locator, name: string): Promise<void> {
  for (const field of await form.getByLabel(/^Name/).all()) await field.fill(name);
}

/** Picks photos, waits until each is stored, saves, and closes the confirmation. */
export async function addPhotos(page: Page, pictures: Picture[], name: string): Promise<void> {
  await openAdd(page, 'Photos');
  await pickPhotos(page, pictures);
  const form = sheet(page, 'Add photos');
  await expect(form.getByText(/^Safe on this/)).toHaveCount(pictures.length);
  await nameFiles(form, name);
  await form.getByRole('button', { name: 'Save' }).click();
  await sheet(page, 'Your photos').getByRole('button', { name: 'Got it!' }).click();
  await expect(sheet(page, 'Your photos')).toHaveCount(0);
}

export async function pickPortrait(page: Page, picture: Picture): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: /^(Add|Change) photo$/ }).click();
  await (await choosing).setFiles(picture);
  await sheet(page, 'Profile photo').getByRole('button', { name: 'Use photo' }).click();
  await expect(sheet(page, 'Profile photo')).toHaveCount(0);
}

/** The names of a profile's skills on the server, sorted. */
export async function getSkills(person: Person, profileId: string | number): Promise<string[]> {
  const { body } = await person.call<{ name: string }[]>('GET', `/profiles/${profileId}/skills`);
  return body.map((skill) => skill.name).sort();
}

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /your menu$/ }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
}
