import type { Page } from '@playwright/test';
import { expectAccessible } from './support/axe.ts';
import { FILM, makeAudition } from './support/casting.ts';
import { countDrafts, countMedia } from './support/client-store.ts';
import type { Device } from './support/device.ts';
import type { Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

interface Loop {
  server: { url: string };
  person: Person;
  newDevice: () => Promise<Device>;
}

/** Makes a request to audition and opens it on the performer's phone. */
async function openAudition({ server, person, newDevice }: Loop, query = '') {
  const { performer, request } = await makeAudition(server.url, person);
  const phone = await newDevice();
  await phone.signInForOffline(performer);
  await phone.open(`/auditions/${request.id}${query}`);
  return { page: phone.page, request };
}

const tapeSheet = (page: Page) => page.getByRole('dialog', { name: 'Tape for Naseem' });

test(
  'a link out of the tape sheet asks first while a video is being copied',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const { page } = await openAudition({ server, person, newDevice }, '?tape=');
    await expect(tapeSheet(page)).toBeVisible();
    // The disk is slow.
    await page.evaluate(() => {
      Blob.prototype.arrayBuffer = () => new Promise(() => undefined);
    });
    await page.getByTestId('takes').setInputFiles(FILM);
    await expect(tapeSheet(page).getByText('Storing on this phone, 0%')).toBeVisible();
    await tapeSheet(page).getByRole('button', { name: 'Choose from your takes' }).click();
    for (const name of ['Record in the booth', 'Add your CV']) {
      await tapeSheet(page).getByRole('link', { name }).click();
      await expect(page.getByText('1 file is not stored yet.')).toBeVisible();
      await page.getByRole('button', { name: 'Keep editing' }).click();
      await expect(tapeSheet(page).getByText('Storing on this phone, 0%')).toBeVisible();
    }
    await tapeSheet(page).getByRole('link', { name: 'Record in the booth' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(page).toHaveURL(/\/booth\?audition=/);
  },
);

test(
  'an open tape sheet stays when the request is withdrawn, says why it cannot be sent, and what is in it can be removed',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const { page, request } = await openAudition({ server, person, newDevice });
    await page.getByRole('button', { name: 'Send a tape' }).click();
    await page.getByTestId('takes').setInputFiles(FILM);
    await expect(tapeSheet(page).getByText(/^Safe on this phone/)).toBeVisible({ timeout: 60_000 });
    await person.call('POST', `/casting/requests/${request.id}/withdraw`, { text: null });
    await expect(tapeSheet(page).getByRole('alert')).toHaveText('This request was withdrawn.', { timeout: 40_000 });
    await expect(tapeSheet(page).getByRole('button', { name: /^Send \d/ })).toBeDisabled();
    await expectAccessible(page);

    await tapeSheet(page).getByRole('button', { name: 'Close Tape for Naseem' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(page.getByText('What you prepared for a tape is still on this phone.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(page.getByText('What you prepared for a tape is still on this phone.')).toHaveCount(0);
    expect(await countDrafts(page)).toBe(0);
    await expect.poll(() => countMedia(page)).toBe(0);
  },
);
