import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { addPhotos, addSkill, expectAllSaved, getSkills, openSignedIn, openWaiting, sheet } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { getOutbox } from './support/client-store.ts';
import type { Device } from './support/device.ts';
import { makePerson, makeProfile, type Person } from './support/people.ts';
import { picture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

/** What waits, without when it is tried again: that goes on meanwhile. */
const getQueued = async (page: Page) => (await getOutbox(page)).map(({ op, kind, patch }) => ({ op, kind, patch }));

interface SealedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
  code: string;
}

/** Saves what waits on the device in a sealed file and returns the file with its code. */
async function seal({ page }: Device): Promise<SealedFile> {
  await openWaiting(page);
  await page.getByRole('button', { name: 'Save a sealed file' }).click();
  const form = sheet(page, 'Save a sealed file');
  await expect(form.getByText(/^callboard-\d+-\w+\.sealed$/)).toBeVisible();
  await expectAccessible(page);
  const code = (await form.getByTestId('sealed-code').innerText()).replace(/\s+/g, ' ');
  await expect(form.getByRole('button', { name: 'Save the file' })).toBeDisabled();
  await form.getByLabel('I have written the code down').check();
  const download = page.waitForEvent('download');
  await form.getByRole('button', { name: 'Save the file' }).click();
  const file = await download;
  await expect(form.getByRole('status')).toContainText('The file is saved');
  await form.getByRole('button', { name: 'Done' }).click();
  const buffer = await readFile(await file.path());
  return { name: file.suggestedFilename(), mimeType: 'application/octet-stream', buffer, code };
}

async function chooseFile(page: Page, file: SealedFile) {
  await page.goto('/waiting');
  await page.getByRole('button', { name: 'Open a sealed file' }).click();
  const form = sheet(page, 'Open a sealed file');
  await form.getByTestId('sealed-file').setInputFiles(file);
  return form;
}

async function open(page: Page, file: SealedFile) {
  const form = await chooseFile(page, file);
  // A whole code may be pasted into any field.
  await form.getByLabel('Word 1', { exact: true }).fill(file.code);
  await expect(form.getByLabel('Word 6', { exact: true })).toHaveValue(file.code.split(' ')[5]!);
  await form.getByRole('button', { name: 'Open', exact: true }).click();
  return form;
}

const getPhotos = async (person: Person) =>
  (await person.call<{ name: string }[]>('GET', '/media')).body.map(({ name }) => name);

test('sends what a sealed file holds once, from another device and then from the first one', async ({
  phone,
  person,
  server,
  newDevice,
}) => {
  const profile = await makeProfile(person);
  await openSignedIn(phone.page, person);
  await phone.readyForOffline();
  await server.stop();
  await addSkill(phone.page, 'Stage combat', 'Expert');
  await addPhotos(phone.page, [await picture('still.jpg', 320, 240)], 'On set');
  const file = await seal(phone);
  // An edit after sealing is a change of its own.
  await phone.page.goto('/');
  await addSkill(phone.page, 'Fencing', 'Beginner');
  const rows = await getOutbox(phone.page);
  expect(rows).toHaveLength(4);
  await phone.context.setOffline(true);

  await server.start();
  const laptop = await newDevice({ shape: 'desktop' });
  await laptop.signInForOffline(person);
  const form = await open(laptop.page, file);
  await expect(form.getByRole('status')).toContainText('will be sent');
  await form.getByRole('button', { name: 'Done' }).click();
  await expectAllSaved(laptop.page);
  expect(await getSkills(person, profile.id)).toEqual(['Stage combat']);
  expect(await getPhotos(person)).toEqual(['On set']);

  await phone.context.setOffline(false);
  await expect.poll(() => getOutbox(phone.page)).toEqual([]);
  expect((await getSkills(person, profile.id)).sort()).toEqual(['Fencing', 'Stage combat']);
  expect(await getPhotos(person)).toEqual(['On set']);
  await phone.page.goto('/');
  await expect(phone.page.getByText('Stage combat')).toHaveCount(1);
});

test(
  'refuses a sealed file with a wrong word, a missing part or another account, and changes nothing',
  { tag: '@full' },
  async ({ phone, person, server, newDevice }) => {
    await makeProfile(person);
    await openSignedIn(phone.page, person);
    await phone.readyForOffline();
    await server.stop();
    await addSkill(phone.page, 'Stage combat', 'Expert');
    const file = await seal(phone);
    const before = await getQueued(phone.page);

    const words = file.code.split(' ');
    let form = await open(phone.page, { ...file, code: [...words.slice(0, 5), 'coper'].join(' ') });
    await expect(form.getByRole('alert')).toContainText('“coper” is not one of our words');
    await form.getByLabel('Word 6', { exact: true }).fill(words[5] === 'zoo' ? 'able' : 'zoo');
    await form.getByRole('button', { name: 'Open', exact: true }).click();
    await expect(form.getByRole('alert')).toContainText('This code does not open the file');
    await expectAccessible(phone.page);
    form = await chooseFile(phone.page, { ...file, buffer: file.buffer.subarray(0, -20) });
    await expect(form.getByRole('alert')).toContainText('Part of this file is missing');
    await form.getByTestId('sealed-file').setInputFiles({ ...file, buffer: Buffer.from('GIF89a') });
    await expect(form.getByRole('alert')).toContainText('This is not a sealed file');
    expect(await getQueued(phone.page)).toEqual(before);

    await server.start();
    const other = await makePerson(server.url);
    await makeProfile(other);
    const laptop = await newDevice();
    await openSignedIn(laptop.page, other);
    const foreign = await chooseFile(laptop.page, file);
    await expect(foreign.getByRole('alert')).toContainText('belongs to another account');
    expect(await getOutbox(laptop.page)).toEqual([]);
  },
);
