import type { Page } from '@playwright/test';
import {
  addSkill,
  card,
  openSignedIn,
  openAdd,
  pickPhotos,
  pill,
  row,
  save,
  sheet,
  getSkills,
} from './support/actions.ts';
import { installBreakableStore } from './support/breakable-store.ts';
import { connect, makePerson, makeProfile } from './support/people.ts';
import { heavyPicture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

/** Room for little more than the app. Needs a profile on disk: an in-memory browser frees its storage only later. */
const QUOTA_BYTES = 16 * 1024 * 1024;

/** Ends the page as soon as it has stored a change: what it would tidy up afterwards stays. */
function endPageAfterSave(): void {
  const { add, delete: remove } = IDBObjectStore.prototype;
  let hasEnded = false;
  IDBObjectStore.prototype.add = function (...given: Parameters<typeof add>) {
    hasEnded ||= this.name === 'outbox';
    if (hasEnded) Storage.prototype.removeItem = () => undefined;
    return add.apply(this, given);
  };
  IDBObjectStore.prototype.delete = function (...given: Parameters<typeof remove>) {
    const isLater = hasEnded && this.transaction.objectStoreNames.length === 1;
    if (isLater && this.name === 'drafts') throw new DOMException('The page has ended', 'AbortError');
    return remove.apply(this, given);
  };
}

/** Uses up the origin's storage, as another app's downloads would. */
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

async function freeSpace(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const removing = indexedDB.deleteDatabase('filler');
        removing.onsuccess = resolve;
        removing.onerror = reject;
      }),
  );
}

test('reports a full device plainly, and keeps the text in the form', async ({ ownPhone: phone, person, server }) => {
  const { page } = phone;
  const browser = await phone.context.newCDPSession(page);
  await browser.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: QUOTA_BYTES });
  const profile = await makeProfile(person);
  await openSignedIn(page, person);
  await phone.readyForOffline();

  await openAdd(page, 'Skills');
  const form = sheet(page, 'Add skill');
  await form.getByLabel('Skill', { exact: true }).fill('Kathak');
  await form.getByText('Expert', { exact: true }).click();
  await fillTheDevice(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText('This phone is full, so this was not saved.');
  await expect(form.getByLabel('Skill', { exact: true })).toHaveValue('Kathak');
  expect(await getSkills(person, profile.id)).toEqual([]);

  await freeSpace(page);
  await save(page, 'Add skill');
  await expect.poll(() => getSkills(person, profile.id)).toEqual(['Kathak']);
});

test(
  'keeps a note about days in its form when the device is full',
  { tag: '@full' },
  async ({ ownPhone: phone, person, server }) => {
    const { page } = phone;
    const browser = await phone.context.newCDPSession(page);
    await browser.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: QUOTA_BYTES });
    await makeProfile(person);
    const today = new Date().toISOString().slice(0, 10);
    await person.call('PUT', '/availability', { days: [{ date: today, state: 'pencilled' }] });
    await openSignedIn(page, person);
    await phone.readyForOffline();
    await phone.open('/availability');
    await page.getByRole('gridcell', { name: /Pencilled/ }).click();
    await page.getByRole('button', { name: 'Note and end' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Note').fill('The Salt Road, first refusal');
    await fillTheDevice(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form.getByRole('alert')).toContainText('This phone is full, so this was not saved.');
    await expect(form.getByLabel('Note')).toHaveValue('The Salt Road, first refusal');
    await freeSpace(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toHaveCount(0);
    await expect(page.getByText('The Salt Road, first refusal')).toBeVisible();
  },
);

test(
  'refuses a photo that does not fit before showing it as safe',
  { tag: '@full' },
  async ({ ownPhone: phone, person, server }) => {
    const { page } = phone;
    const browser = await phone.context.newCDPSession(page);
    await browser.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: QUOTA_BYTES / 2 });
    await makeProfile(person);
    await openSignedIn(page, person);
    await openAdd(page, 'Photos');
    await pickPhotos(page, [await heavyPicture('night-shoot.png')]);
    const picked = row(sheet(page, 'Add photos'), 'night-shoot.png');
    await expect(picked).toContainText('This phone is full');
    await expect(picked).not.toContainText('Safe on this phone');
  },
);

test('reopens a store that the browser closed', async ({ phone, person }) => {
  const { page } = phone;
  const profile = await makeProfile(person);
  // As iOS does to a background app: the connection is dead, and no event fires.
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
  await openSignedIn(page, person);
  await openAdd(page, 'Skills');
  const form = sheet(page, 'Add skill');
  await form.getByLabel('Skill', { exact: true }).fill('Kathak');
  await form.getByText('Expert', { exact: true }).click();
  await page.evaluate(() => dispatchEvent(new Event('test:lose-store')));
  await save(page, 'Add skill');
  await expect.poll(() => getSkills(person, profile.id)).toEqual(['Kathak']);
  await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(1);
  await expect(pill(page)).toHaveCount(0);
});

const reloadQuestion = (page: Page) => page.getByRole('alertdialog', { name: 'Reload to go on' });

test('keeps text typed after the store was lost through the reload that restores it', async ({ phone, person }) => {
  const { page } = phone;
  const profile = await makeProfile(person);
  await page.addInitScript(installBreakableStore);
  phone.allowBrowserError(/Indexed Database server lost|DatabaseClosed|draft waits beside the store/);
  await openSignedIn(page, person);
  await openAdd(page, 'Skills');
  const form = sheet(page, 'Add skill');
  await form.getByLabel('Skill', { exact: true }).fill('Kath');
  await page.evaluate(() => dispatchEvent(new Event('test:break-store')));
  await form.getByLabel('Skill', { exact: true }).fill('Kathak');
  await expect(reloadQuestion(page)).toContainText('Your text is kept.');
  await reloadQuestion(page).getByRole('button', { name: 'Not now' }).click();
  await form.getByText('Expert', { exact: true }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByRole('alert')).toContainText('Reload to go on. Your text is kept.');
  await reloadQuestion(page).getByRole('button', { name: 'Reload' }).click();

  await expect(form.getByLabel('Skill', { exact: true })).toHaveValue('Kathak');
  await expect(form.getByRole('status')).toHaveText('Picked up where you left off');
  await save(page, 'Add skill');
  await expect.poll(() => getSkills(person, profile.id)).toEqual(['Kathak']);
});

test(
  'does not offer again what was saved in the moment in which the browser ended the page',
  { tag: '@full' },
  async ({ phone, person }) => {
    const { page } = phone;
    const profile = await makeProfile(person);
    phone.allowBrowserError(/AbortError/);
    await openSignedIn(page, person);
    await openAdd(page, 'Skills');
    const form = sheet(page, 'Add skill');
    await form.getByLabel('Skill', { exact: true }).fill('Kathak');
    await form.getByText('Expert', { exact: true }).click();
    await page.evaluate(endPageAfterSave);
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(1);

    await page.reload();
    await expect(row(card(page, 'Skills'), 'Kathak')).toHaveCount(1);
    await openAdd(page, 'Skills');
    await expect(form.getByLabel('Skill', { exact: true })).toHaveValue('');
    await expect(form.getByText('Picked up where you left off')).toHaveCount(0);
    await expect.poll(() => getSkills(person, profile.id)).toEqual(['Kathak']);
  },
);

test(
  'keeps the letters typed just before the browser ended the page',
  { tag: '@full' },
  async ({ ownPhone: phone, person }) => {
    const { page } = phone;
    await makeProfile(person);
    await openSignedIn(page, person);
    await openAdd(page, 'Skills');
    await sheet(page, 'Add skill').getByLabel('Skill', { exact: true }).fill('Kathak');
    const browser = await phone.context.newCDPSession(page);
    const isEnded = page.waitForEvent('crash');
    // A crashed page answers nothing.
    void browser.send('Page.crash').catch(() => undefined);
    await isEnded;

    const next = await phone.newTab();
    await next.goto('/');
    await openAdd(next, 'Skills');
    await expect(sheet(next, 'Add skill').getByLabel('Skill', { exact: true })).toHaveValue('Kathak');
  },
);

test(
  'keeps a message typed after the store was lost through the reload that restores it',
  { tag: '@full' },
  async ({ phone, person, server }) => {
    const { page } = phone;
    const other = await makePerson(server.url);
    for (const each of [person, other]) await makeProfile(each);
    const { conversation } = await connect(person, other);
    await page.addInitScript(installBreakableStore);
    phone.allowBrowserError(/Indexed Database server lost|DatabaseClosed|draft waits beside the store/);
    await openSignedIn(page, person);
    await phone.open(`/messages/${conversation}`);
    const box = page.getByRole('textbox', { name: /^Message / });
    await box.fill('On my');
    await page.evaluate(() =>
      addEventListener('input', () => dispatchEvent(new Event('test:break-store')), { capture: true, once: true }),
    );
    await box.fill('On my way');
    await expect(reloadQuestion(page)).toContainText('Your text is kept.');
    await reloadQuestion(page).getByRole('button', { name: 'Reload' }).click();
    await expect(box).toHaveValue('On my way');
  },
);

test(
  'reloads a page without a form when the store was lost, and only once',
  { tag: '@full' },
  async ({ phone, person }) => {
    const { page } = phone;
    await makeProfile(person);
    await page.addInitScript(installBreakableStore);
    phone.allowBrowserError(/Indexed Database server lost|DatabaseClosed/);
    await openSignedIn(page, person);
    await phone.readyForOffline();
    const loseStore = () =>
      page.evaluate(() => {
        Object.assign(window, { isSamePage: true });
        dispatchEvent(new Event('test:break-store'));
        dispatchEvent(new Event('online'));
      });
    await loseStore();
    await page.waitForFunction(() => !('isSamePage' in window));
    await expect(card(page, 'Skills')).toBeVisible();
    // Lost again right away: the reload did not help, so the user decides.
    await loseStore();
    await expect(reloadQuestion(page)).toContainText('close every Callboard tab');
  },
);

test(
  'reports a store that cannot be written plainly, and keeps the text in the form',
  { tag: '@full' },
  async ({ phone, person }) => {
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
    await openSignedIn(page, person);
    await openAdd(page, 'Skills');
    const form = sheet(page, 'Add skill');
    await form.getByLabel('Skill', { exact: true }).fill('Kathak');
    await form.getByText('Expert', { exact: true }).click();
    // A draft that could not be stored is reported too; some browsers give no message.
    phone.allowBrowserError(/The store is gone|InvalidState/);
    await page.evaluate(() => dispatchEvent(new Event('test:take-store')));
    await form.getByRole('button', { name: 'Save' }).click();
    await reloadQuestion(page).getByRole('button', { name: 'Not now' }).click();
    await expect(form.getByRole('alert')).toContainText('Reload to go on. Your text is kept.');
    await expect(form.getByLabel('Skill', { exact: true })).toHaveValue('Kathak');
    await page.evaluate(() => dispatchEvent(new Event('test:give-store-back')));
    await save(page, 'Add skill');
    await expect.poll(() => getSkills(person, profile.id)).toEqual(['Kathak']);
  },
);

test('reports number and kind of the changes lost with a store deleted under the open app', async ({
  phone,
  person,
  server,
}) => {
  const { page } = phone;
  await makeProfile(person);
  await openSignedIn(page, person);
  await phone.readyForOffline();
  await server.stop();
  await addSkill(page, 'Kathak', 'Expert');
  await addSkill(page, 'Mime', 'Expert');
  await expect(pill(page)).toHaveText('2 waiting');
  await expect
    .poll(() => page.evaluate((id) => localStorage.getItem(`waiting:${id}`), person.id))
    .toContain('"skill":2');
  await server.start();
  const browser = await phone.context.newCDPSession(page);
  await browser.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'indexeddb' });

  await expect(page.getByRole('alert')).toContainText('2 unsent changes were lost with it: 2 in Skills.');
  await expect(card(page, 'Skills')).toBeVisible();
  await phone.open('/');
  await expect(card(page, 'Skills')).toBeVisible();
  await expect(page.getByText('lost with it')).toHaveCount(0);
});

test('keeps what is typed in an open form when the browser deletes the store', async ({ phone, person, server }) => {
  const { page } = phone;
  await makeProfile(person);
  await openSignedIn(page, person);
  await phone.readyForOffline();
  await openAdd(page, 'Skills');
  const form = sheet(page, 'Add skill');
  await form.getByLabel('Skill', { exact: true }).fill('Kathak');
  // The draft is in the store, and only there.
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => /^draft:/.test(key))))
    .toEqual([]);
  const browser = await phone.context.newCDPSession(page);
  // With its profile gone, the page shows no form, and reloads by itself, perhaps before the browser has said that it is done.
  const reloaded = page.waitForEvent('load');
  await browser.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'indexeddb' });
  await reloaded;
  await expect(form.getByLabel('Skill', { exact: true })).toHaveValue('Kathak');
});

test('asks to close an older tab that blocks the store, and opens the store afterwards', async ({ phone, person }) => {
  const { page } = phone;
  await makeProfile(person);
  await openSignedIn(page, person);
  const tab = await phone.newTab();
  await tab.goto('/icons/icon.svg');
  await page.goto('/icons/icon.svg');
  // As an older version of the app in a frozen tab: it holds the store and receives no events.
  await tab.evaluate(async () => {
    const name = (await indexedDB.databases()).find((each) => /^app:.*:/.test(each.name ?? ''))!.name!;
    await new Promise((resolve) => (indexedDB.deleteDatabase(name).onsuccess = resolve));
    await new Promise((resolve) => (indexedDB.open(name, 10).onsuccess = resolve));
  });
  await page.goto('/');
  await expect(page.getByRole('alertdialog', { name: 'Close the other Callboard tabs' })).toBeVisible();
  await tab.close();
  await expect(card(page, 'Skills')).toBeVisible();
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
});

test(
  'closes the store for another tab’s upgrade and keeps the typed text',
  { tag: '@full' },
  async ({ phone, person }) => {
    const { page } = phone;
    await makeProfile(person);
    await openSignedIn(page, person);
    await openAdd(page, 'Skills');
    const form = sheet(page, 'Add skill');
    await form.getByLabel('Skill', { exact: true }).fill('Kathak');
    const tab = await phone.newTab();
    await tab.goto('/icons/icon.svg');
    const isUpgraded = tab.evaluate(async () => {
      const { name, version } = (await indexedDB.databases()).find((each) => /^app:.*:/.test(each.name ?? ''))!;
      const opening = indexedDB.open(name!, version! + 10);
      await new Promise((resolve) => (opening.onsuccess = resolve));
      opening.result.close();
      return true;
    });
    await expect(reloadQuestion(page)).toContainText('Your text is kept.');
    expect(await isUpgraded).toBe(true);
    await reloadQuestion(page).getByRole('button', { name: 'Reload' }).click();
    await expect(form.getByLabel('Skill', { exact: true })).toHaveValue('Kathak');
  },
);

test('reports work that the browser evicted at the next start', { tag: '@full' }, async ({ phone, person, server }) => {
  const { page } = phone;
  await makeProfile(person);
  await openSignedIn(page, person);
  await phone.readyForOffline();
  await server.stop();
  await addSkill(page, 'Kathak', 'Expert');
  await expect(pill(page)).toHaveText('1 waiting');
  const browser = await phone.context.newCDPSession(page);
  await page.goto('about:blank');
  await browser.send('Storage.clearDataForOrigin', { origin: server.url, storageTypes: 'indexeddb' });

  await server.start();
  await phone.open('/');
  await expect(page.getByRole('alert')).toContainText('1 unsent change was lost with it: 1 in Skills.');
  await expect(card(page, 'Skills')).toBeVisible();
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  await phone.open('/');
  await expect(card(page, 'Skills')).toBeVisible();
  await expect(page.getByText('lost with it')).toHaveCount(0);
});
