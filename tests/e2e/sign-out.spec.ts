import type { Page } from '@playwright/test';
import { addSkill, card, fillSignIn, pill, row, signIn, signOut, getSkills } from './support/actions.ts';
import { call, makePerson, makeProfile } from './support/people.ts';
import { getMessages, getMirror } from './support/client-store.ts';
import { expect, test } from './support/test.ts';

const question = (page: Page) => page.getByRole('alertdialog', { name: '1 change not sent yet' });

/** Signs out, and gives up the one change that was not sent. */
async function signOutAndDiscard(page: Page): Promise<void> {
  await signOut(page);
  await question(page).getByRole('button', { name: 'Discard 1 change' }).click();
  await page.getByRole('alertdialog', { name: 'Discard 1 change?' }).getByRole('button', { name: 'Discard' }).click();
}

/** Returns the names of a person's stores on the device. */
async function readStoresOf(page: Page, personId: number | string): Promise<string[]> {
  const names = await page.evaluate(async () => (await indexedDB.databases()).map((each) => each.name ?? ''));
  return names.filter((name) => name.endsWith(`:${personId}`));
}

/** Makes a page unable to delete a store, as one that is closed at that moment. */
const preventDeletion = (page: Page) =>
  page.evaluate(() => void (IDBFactory.prototype.deleteDatabase = () => new EventTarget() as IDBOpenDBRequest));

test('keeps unsent work at sign-out for its own user', async ({ phone, person, server }) => {
  const { page } = phone;
  const profile = await makeProfile(person);
  const other = await makePerson(server.url);
  const otherProfile = await makeProfile(other);
  const note = { message: 'We met at Prithvi.' };
  const asked = await other.call<{ data: { id: string } }>('POST', `/connections/request/${person.id}`, note);
  await person.call('POST', `/connections/accept/${asked.body.data.id}`);
  await signIn(page, person);
  await expect(card(page, 'Skills')).toBeVisible();
  await phone.readyForOffline();
  await expect.poll(() => getMessages(page)).toMatchObject([note]);

  await server.stop();
  await addSkill(page, 'Kathak', 'Expert');
  await signOut(page);
  // The server is unreachable: the dialog says so and asks again.
  await question(page).getByRole('button', { name: 'Send now' }).click();
  await expect(question(page)).toContainText('1 change could not be sent yet.');
  await question(page).getByRole('button', { name: 'Keep on this phone' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull();
  // Data that belongs to others is removed.
  expect([await getMessages(page), await getMirror(page)]).toEqual([[], []]);

  await server.start();
  await signIn(page, other);
  await expect(card(page, 'Skills')).toBeVisible();
  await expect(pill(page)).toHaveCount(0);
  await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(0);
  await addSkill(page, 'Juggling', 'Beginner');
  await expect.poll(() => getSkills(other, otherProfile.id)).toEqual(['Juggling']);
  expect(await getSkills(person, profile.id)).toEqual([]);
  await signOut(page);
  await expect(page).toHaveURL(/\/login$/);

  await fillSignIn(page, person);
  await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(1);
  await expect.poll(() => getSkills(person, profile.id)).toEqual(['Kathak']);
  expect(await getSkills(other, otherProfile.id)).toEqual(['Juggling']);
});

test(
  'discards unsent work at sign-out only after a second confirmation',
  { tag: '@full' },
  async ({ phone, person, server }) => {
    const { page } = phone;
    const profile = await makeProfile(person);
    await signIn(page, person);
    await expect(card(page, 'Skills')).toBeVisible();
    await phone.readyForOffline();

    await server.stop();
    await addSkill(page, 'Kathak', 'Expert');
    await signOut(page);
    await question(page).getByRole('button', { name: 'Discard 1 change' }).click();
    await page.getByRole('alertdialog', { name: 'Discard 1 change?' }).getByRole('button', { name: 'Cancel' }).click();
    await question(page).getByRole('button', { name: 'Stay signed in' }).click();
    await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(1);

    await signOutAndDiscard(page);
    await expect(page).toHaveURL(/\/login$/);
    expect(await readStoresOf(page, person.id)).toEqual([]);

    await server.start();
    await fillSignIn(page, person);
    await expect(card(page, 'Skills')).toBeVisible();
    await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(0);
    expect(await getSkills(person, profile.id)).toEqual([]);
  },
);

test('removes at the next start what a page that was closed while it signed out has left', async ({
  phone,
  person,
  server,
}) => {
  const { page } = phone;
  const profile = await makeProfile(person);
  await signIn(page, person);
  await expect(card(page, 'Skills')).toBeVisible();
  await phone.readyForOffline();
  await server.stop();
  await addSkill(page, 'Kathak', 'Expert');

  // As long as it takes to close the app.
  await preventDeletion(page);
  await signOutAndDiscard(page);
  const isLeaving = () => page.evaluate(() => localStorage.getItem('farewell') !== null);
  await expect.poll(isLeaving).toBe(true);
  expect(await readStoresOf(page, person.id)).toHaveLength(1);

  await phone.open('/');
  await expect.poll(() => readStoresOf(page, person.id)).toEqual([]);
  await server.start();
  await signIn(page, person);
  await expect(card(page, 'Skills')).toBeVisible();
  await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(0);
  expect(await getSkills(person, profile.id)).toEqual([]);
});

/** Signs out in a page that is closed before it has deleted anything. */
async function signOutCutShort(page: Page): Promise<void> {
  await preventDeletion(page);
  await signOut(page);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('farewell'))).toBe('2');
  await page.close();
}

test(
  'ends in the other tabs as well, even if the tab that signs out is closed at once',
  { tag: '@full' },
  async ({ phone, person }) => {
    await makeProfile(person);
    await signIn(phone.page, person);
    await expect(card(phone.page, 'Skills')).toBeVisible();
    await phone.readyForOffline();
    const tab = await phone.newTab();
    await tab.goto('/');
    await expect(card(tab, 'Skills')).toBeVisible();
    await signOutCutShort(tab);
    await expect(phone.page.getByRole('heading', { name: 'Be ready when the call comes.' })).toBeVisible();
  },
);

test(
  'lets somebody else sign in while a frozen tab holds the store of the person who signed out',
  { tag: '@full' },
  async ({ phone, person, server }) => {
    const { page } = phone;
    await makeProfile(person);
    const other = await makePerson(server.url);
    await makeProfile(other);
    await signIn(page, person);
    await expect(card(page, 'Skills')).toBeVisible();
    await phone.readyForOffline();
    // A frozen tab holds the store and receives no events.
    const tab = await phone.newTab();
    await tab.goto('/icons/icon.svg');
    await tab.evaluate(async () => {
      const { name } = (await indexedDB.databases()).find((each) => /^app:.*:/.test(each.name ?? ''))!;
      await new Promise((resolve) => (indexedDB.open(name!).onsuccess = resolve));
    });
    await signOut(page);
    await expect(page).toHaveURL(/\/login$/);
    const question = page.getByRole('alertdialog', { name: 'Close the other Callboard tabs' });
    await expect(question).toContainText('holds what is to be removed from this phone');
    await page.keyboard.press('Escape');
    await fillSignIn(page, other);
    await expect(card(page, 'Skills')).toBeVisible();
    await tab.close();
    await expect.poll(() => readStoresOf(page, person.id)).toEqual([]);
  },
);

test('sends unsent work before signing out', { tag: '@full' }, async ({ person, tcpProxy, newDevice }) => {
  const profile = await makeProfile(person);
  const phone = await newDevice({ url: tcpProxy.url });
  const { page } = phone;
  await signIn(page, person);
  await expect(card(page, 'Skills')).toBeVisible();
  const answer = tcpProxy.holdResponseTo('POST /skills');
  await addSkill(page, 'Kathak', 'Expert');
  await expect.poll(() => answer.isHeld()).toBe(true);
  await signOut(page);
  await question(page).getByRole('button', { name: 'Send now' }).click();
  answer.release();
  await expect(page).toHaveURL(/\/login$/);
  expect(await getSkills(person, profile.id)).toEqual(['Kathak']);
});

test(
  'ends a session on the server at the next start after an offline sign-out',
  { tag: '@full' },
  async ({ phone, person, server }) => {
    const { page } = phone;
    await makeProfile(person);
    await signIn(page, person);
    await expect(card(page, 'Skills')).toBeVisible();
    await phone.readyForOffline();
    const token = await page.evaluate(() => localStorage.getItem('token'));
    await server.stop();
    await signOut(page);
    await expect(page).toHaveURL(/\/login$/);
    await server.start();
    const isAlive = async () => (await call(server.url, token, 'GET', '/user')).status === 200;
    expect(await isAlive()).toBe(true);
    await phone.open('/');
    await expect.poll(isAlive).toBe(false);
    await expect.poll(() => page.evaluate(() => localStorage.getItem('farewell'))).toBeNull();
  },
);

test('asks about a draft before it signs out, and keeps it', { tag: '@full' }, async ({ phone, person, server }) => {
  const { page } = phone;
  await makeProfile(person);
  await signIn(page, person);
  await expect(card(page, 'Skills')).toBeVisible();
  await phone.readyForOffline();
  await server.stop();
  const open = async () => {
    await card(page, 'Skills').getByRole('button', { name: /Add/ }).first().click();
    return page.getByRole('dialog').getByLabel('Skill', { exact: true });
  };
  await (await open()).fill('Kathak');
  await page.keyboard.press('Escape');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close', exact: true }).click();
  await signOut(page);
  const draft = page.getByRole('alertdialog', { name: '1 draft on this phone' });
  await draft.getByRole('button', { name: 'Keep on this phone' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await server.start();
  await signIn(page, person);
  await expect(await open()).toHaveValue('Kathak');
});
