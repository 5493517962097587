import type { Page } from '@playwright/test';
import { addSkill, card, enter, openAdd, pickPhotos, pill, row, save, sheet, skillsOf } from './support/acts.ts';
import { makeProfile } from './support/people.ts';
import { heavyPicture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

/** Room for the app and its pages, and not much more. On a disk: a browser that stores in memory frees its room some time later. */
const QUOTA_BYTES = 16 * 1024 * 1024;

/** Takes all the room that is left to this origin, as another app's downloads would. */
async function fillTheDevice(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('filler');
      opening.onupgradeneeded = () => opening.result.createObjectStore('junk', { autoIncrement: true });
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error ?? new Error('No room for a store'));
    });
    const fits = (size: number) =>
      new Promise<boolean>((resolve) => {
        const transaction = database.transaction('junk', 'readwrite');
        transaction.objectStore('junk').add(crypto.getRandomValues(new Uint8Array(Math.min(size, 65_536))));
        for (let more = 65_536; more < size; more += 65_536) {
          transaction.objectStore('junk').add(crypto.getRandomValues(new Uint8Array(65_536)));
        }
        transaction.oncomplete = () => resolve(true);
        transaction.onabort = () => resolve(false);
      });
    for (const size of [1_048_576, 65_536, 4096, 256, 16]) while (await fits(size));
    database.close();
  });
}

async function makeRoom(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const removing = indexedDB.deleteDatabase('filler');
        removing.onsuccess = resolve;
        removing.onerror = reject;
      }),
  );
}

test('a full device is said plainly, with the words still in the form', async ({ ownPhone: phone, person, server }) => {
  const { page } = phone;
  const browser = await phone.context.newCDPSession(page);
  await browser.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: QUOTA_BYTES });
  const profile = await makeProfile(person);
  await enter(page, person);
  await phone.readyForOffline();

  await openAdd(page, 'Skills');
  const form = sheet(page, 'Add skill');
  await form.getByLabel('Skill', { exact: true }).fill('Kathak');
  await form.getByText('Expert', { exact: true }).click();
  await fillTheDevice(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText('This phone is full, so this was not saved.');
  await expect(form.getByLabel('Skill', { exact: true })).toHaveValue('Kathak');
  expect(await skillsOf(person, profile.id)).toEqual([]);

  await makeRoom(page);
  await save(page, 'Add skill');
  await expect.poll(() => skillsOf(person, profile.id)).toEqual(['Kathak']);
});

test('a photo that does not fit is refused before anybody says it is safe', async ({
  ownPhone: phone,
  person,
  server,
}) => {
  const { page } = phone;
  const browser = await phone.context.newCDPSession(page);
  await browser.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: QUOTA_BYTES / 2 });
  await makeProfile(person);
  await enter(page, person);
  await openAdd(page, 'Photos');
  await pickPhotos(page, [await heavyPicture('night-shoot.png')]);
  const picked = row(sheet(page, 'Add photos'), 'night-shoot.png');
  await expect(picked).toContainText('This phone is full');
  await expect(picked).not.toContainText('Safe on this phone');
});

test('a store that was closed under the app is opened again', async ({ phone, person }) => {
  const { page } = phone;
  const profile = await makeProfile(person);
  // As iOS does to an app in the background: the connection is gone, and nobody is told.
  await page.addInitScript(() => {
    const connections = new Set<IDBDatabase>();
    const { open } = IDBFactory.prototype;
    IDBFactory.prototype.open = function (...given: Parameters<IDBFactory['open']>) {
      const opening = open.apply(this, given);
      opening.addEventListener('success', () => connections.add(opening.result));
      return opening;
    };
    addEventListener('test:lose-store', () => connections.forEach((connection) => connection.close()));
  });
  await enter(page, person);
  await openAdd(page, 'Skills');
  const form = sheet(page, 'Add skill');
  await form.getByLabel('Skill', { exact: true }).fill('Kathak');
  await form.getByText('Expert', { exact: true }).click();
  await page.evaluate(() => dispatchEvent(new Event('test:lose-store')));
  await save(page, 'Add skill');
  await expect.poll(() => skillsOf(person, profile.id)).toEqual(['Kathak']);
  await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(1);
  await expect(pill(page)).toHaveCount(0);
});

test('a store that cannot be written is said plainly, with the words still in the form', async ({ phone, person }) => {
  const { page } = phone;
  const profile = await makeProfile(person);
  await page.addInitScript(() => {
    let isGone = false;
    const { transaction } = IDBDatabase.prototype;
    IDBDatabase.prototype.transaction = function (...given: Parameters<IDBDatabase['transaction']>) {
      if (isGone && given[1] === 'readwrite') throw new DOMException('The store is gone', 'InvalidStateError');
      return transaction.apply(this, given);
    };
    addEventListener('test:take-store', () => (isGone = true));
    addEventListener('test:give-store-back', () => (isGone = false));
  });
  await enter(page, person);
  await openAdd(page, 'Skills');
  const form = sheet(page, 'Add skill');
  await form.getByLabel('Skill', { exact: true }).fill('Kathak');
  await form.getByText('Expert', { exact: true }).click();
  // A draft that could not be kept meanwhile is reported too, by some browsers' stores without words.
  phone.expectTrouble(/The store is gone|InvalidState/);
  await page.evaluate(() => dispatchEvent(new Event('test:take-store')));
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText('The app lost its storage');
  await expect(form.getByLabel('Skill', { exact: true })).toHaveValue('Kathak');
  await page.evaluate(() => dispatchEvent(new Event('test:give-store-back')));
  await save(page, 'Add skill');
  await expect.poll(() => skillsOf(person, profile.id)).toEqual(['Kathak']);
});

test('work that the browser cleared away is admitted at the next start', async ({ phone, person, server }) => {
  const { page } = phone;
  await makeProfile(person);
  await enter(page, person);
  await phone.readyForOffline();
  await server.stop();
  await addSkill(page, 'Kathak', 'Expert');
  await expect(pill(page)).toHaveText('1 waiting');
  const browser = await phone.context.newCDPSession(page);
  await page.goto('about:blank');
  await browser.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'indexeddb' });

  await server.start();
  await phone.open('/');
  await expect(page.getByRole('alert')).toContainText('1 unsent change was lost with it');
  await expect(card(page, 'Skills')).toBeVisible();
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  await phone.open('/');
  await expect(card(page, 'Skills')).toBeVisible();
  await expect(page.getByText('lost with it')).toHaveCount(0);
});
