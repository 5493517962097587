import type { Page } from '@playwright/test';
import { type NewVersionProxy, startNewVersionProxy } from './support/new-version.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { expect, test as base } from './support/test.ts';

const test = base.extend<{ newVersion: NewVersionProxy }>({
  newVersion: async ({ server }, use) => {
    const newVersion = await startNewVersionProxy(server.port);
    await use(newVersion);
    await newVersion.close();
  },
});

/** Checks for a new version and resolves once it is waiting to activate. */
async function findNewVersion(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration?.update();
  });
  await page.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting != null);
}

const markAsOldPage = (page: Page) => page.evaluate(() => void Object.assign(window, { isOldPage: true }));
const isOldPage = (page: Page) => page.evaluate(() => 'isOldPage' in window);

test('activates a new version when the user reloads', async ({ newVersion, newDevice }) => {
  const phone = await newDevice({ url: newVersion.url });
  await phone.open('/');
  await phone.readyForOffline();
  await markAsOldPage(phone.page);
  newVersion.release();
  await findNewVersion(phone.page);

  await expect(phone.page.getByText('New version ready', { exact: true })).toBeVisible();
  expect(await isOldPage(phone.page)).toBe(true);
  await phone.page.getByRole('button', { name: 'Reload' }).click();
  await phone.page.waitForFunction(() => !('isOldPage' in window));
  await phone.readyForOffline();
  expect(await phone.page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting)).toBeNull();
});

test(
  'does not announce a new version while a form has unsaved text',
  { tag: '@full' },
  async ({ newVersion, server, newDevice }) => {
    const person = await makePerson(server.url);
    await makeProfile(person);
    const phone = await newDevice({ url: newVersion.url });
    await phone.signInForOffline(person);
    const { page } = phone;
    await page.getByRole('button', { name: 'Add a skill' }).click();
    await page.getByRole('textbox', { name: 'Skill' }).fill('Sword fighting');
    newVersion.release();
    await findNewVersion(page);
    await expect(page.getByText('New version ready', { exact: true })).toBeHidden();

    await page.getByText('Expert', { exact: true }).last().click();
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Sword fighting')).toBeVisible();
    await expect(page.getByText('New version ready', { exact: true })).toBeVisible();
  },
);
