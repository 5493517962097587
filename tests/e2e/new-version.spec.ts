import type { Page } from '@playwright/test';
import { type NextVersion, nextVersion } from './support/new-version.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { expect, test as base } from './support/test.ts';

const test = base.extend<{ door: NextVersion }>({
  door: async ({ server }, use) => {
    const door = await nextVersion(server.port);
    await use(door);
    await door.close();
  },
});

/** Looks for a new version now and resolves once it waits for its turn. */
async function findNewVersion(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.update();
  });
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting != null);
}

const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { isOldPage: true }));
const isOldPage = (page: Page) => page.evaluate(() => 'isOldPage' in window);

test('a new version comes in when the person says so', async ({ door, newDevice }) => {
  const phone = await newDevice({ url: door.url });
  await phone.open('/');
  await phone.readyForOffline();
  await mark(phone.page);
  door.release();
  await findNewVersion(phone.page);

  await expect(phone.page.getByText('New version ready', { exact: true })).toBeVisible();
  expect(await isOldPage(phone.page)).toBe(true);
  await phone.page.getByRole('button', { name: 'Reload' }).click();
  await phone.page.waitForFunction(() => !('isOldPage' in window));
  await phone.readyForOffline();
  expect(await phone.page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting)).toBeNull();
});

test('a new version keeps quiet while a form holds unsaved words', async ({ door, server, newDevice }) => {
  const person = await makePerson(server.url);
  await makeProfile(person);
  const phone = await newDevice({ url: door.url });
  await phone.settleIn(person);
  const { page } = phone;
  await page.getByRole('button', { name: 'Add a skill' }).click();
  await page.getByRole('textbox', { name: 'Skill' }).fill('Sword fighting');
  door.release();
  await findNewVersion(page);
  await expect(page.getByText('New version ready', { exact: true })).toBeHidden();

  await page.getByText('Expert', { exact: true }).last().click();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Sword fighting')).toBeVisible();
  await expect(page.getByText('New version ready', { exact: true })).toBeVisible();
});
