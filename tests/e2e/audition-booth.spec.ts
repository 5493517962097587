import type { Page } from '@playwright/test';
import type { SyncPage } from '#contract/records/sync.ts';
import { tapeRecord } from '#contract/records/tapes.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './support/axe.ts';
import { recordFor, takeRow, waitForPicture } from './support/booth.ts';
import { ask, makeAudition, makeRole } from './support/casting.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Names of the stored files that make an MP4 of a take. */
const listFinishers = (page: Page) =>
  page.evaluate(async () => {
    const stored = await Promise.all(
      (await caches.keys()).map(async (name) => [...(await (await caches.open(name)).keys())]),
    );
    return stored.flat().flatMap(({ url }) => /later-take[^?]*\.js/.exec(url) ?? []);
  });

const tapeSheet = (page: Page) => page.getByRole('dialog', { name: 'Tape for Naseem' });

test(
  'records takes for an audition without signal, sends them as a tape, and loses nothing when the browser is killed',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(240_000);
    const performer = await makePerson(server.url);
    await makeProfile(person, { title: 'Casting director' });
    const profile = await makeProfile(performer, { title: 'Actor' });
    const role = await makeRole(person);
    const terms = { takes: 3, slate: true, shot: 'close', sides_text: 'NASEEM: I knew the road was long.' };
    const { id } = await ask(person, role.id, profile.id, terms);
    const phone = await newDevice({ ownBrowser: true, hasCamera: true });
    const { page } = phone;
    await phone.signInForOffline(performer);
    await phone.open('/auditions');
    await page.getByRole('link', { name: /Naseem/ }).click();
    await page.getByRole('link', { name: 'Record in the booth' }).click();
    await waitForPicture(page);
    await expect(page.getByText('Naseem · Take 1')).toBeVisible();
    await expect(page.getByText('Up to 3 takes of 5 min')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Prompter' })).toContainText('I knew the road was long.');
    await expect(page.getByRole('region', { name: 'Slate card' })).toContainText(/Naseem_\w+_Take1/);
    await expectAccessible(page);
    // Everything that is needed is fetched while the booth is open.
    await page.waitForLoadState('networkidle');
    await server.stop();

    await recordFor(page, 4);
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await expect(page.getByText('Naseem · Take 2')).toBeVisible();
    await recordFor(page, 5);
    await phone.kill();
    await phone.relaunch();
    const again = phone.page;
    await phone.open('/auditions');
    await expect(again.getByRole('link', { name: /Naseem/ })).toContainText('2 takes on this phone');
    await again.getByRole('link', { name: /Naseem/ }).click();
    await again.getByRole('button', { name: 'Send a tape' }).click();
    await tapeSheet(again).getByRole('button', { name: 'Choose from your takes' }).click();
    await tapeSheet(again)
      .getByRole('checkbox', { name: /Take 2/ })
      .check();
    await tapeSheet(again)
      .getByRole('checkbox', { name: /Take 1/ })
      .check();
    await expect(tapeSheet(again).getByText('Safe on this phone')).toHaveCount(2, { timeout: 60_000 });
    await expect(tapeSheet(again).getByText(/^2 files, .* to send at 1 Mbit\/s\.$/)).toBeVisible();
    await expectAccessibleInBothSchemes(again);
    await tapeSheet(again).getByRole('button', { name: 'Move Take 1 up' }).click();

    // The choice survives, too.
    await phone.kill();
    await phone.relaunch();
    await phone.open(`/auditions/${id}?tape=`);
    await expect(tapeSheet(phone.page).getByText('Safe on this phone')).toHaveCount(2, { timeout: 60_000 });
    await tapeSheet(phone.page)
      .getByRole('button', { name: /^Send \d/ })
      .click();
    await expect(phone.page.getByRole('heading', { name: 'Finished in time' })).toBeVisible();
    await expect(phone.page.getByText('Not yet')).toBeVisible();
    await server.start();
    await expect(phone.page.getByText(`with ${person.name}`)).toBeVisible({ timeout: 90_000 });

    const { body } = await person.call<SyncPage>('GET', '/sync');
    const [tape] = body.records.filter(({ type }) => type === 'tape').map((record) => tapeRecord.parse(record.body));
    expect(tape?.takes.map(({ name }) => name)).toEqual([
      expect.stringMatching(/^Naseem_\w+_Take1\.mp4$/),
      expect.stringMatching(/^Naseem_\w+_Take2\.mp4$/),
    ]);
    // What was sent is still in the booth.
    await phone.open(`/booth/takes?audition=${id}`);
    for (const name of ['Take 1', 'Take 2']) await expect(takeRow(phone.page, name)).toBeVisible();

    await person.call('PUT', `/casting/roles/${role.id}`, { status: 'closed' });
    await expect(phone.page.getByText('This role is no longer open.')).toBeVisible({ timeout: 40_000 });
    await expectAccessible(phone.page);
    await phone.page.getByRole('link', { name: 'Open the audition' }).click();
    await expect(phone.page.getByRole('heading', { name: 'Naseem' })).toBeVisible();
  },
);

test(
  'finishes a take without signal although nothing but Home was ever opened with it',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(180_000);
    const { performer, request } = await makeAudition(server.url, person);
    const phone = await newDevice({ ownBrowser: true, hasCamera: true });
    const { page } = phone;
    await phone.signInForOffline(performer);
    // The worker, and the encoder that this browser needs.
    await expect.poll(() => listFinishers(page), { timeout: 60_000 }).toHaveLength(2);
    await server.stop();

    await phone.open(`/booth?audition=${request.id}`);
    await waitForPicture(page);
    await recordFor(page, 3);
    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByRole('button', { name: '1 take' }).click();
    await page.getByRole('link', { name: 'Send as a tape' }).click();
    await tapeSheet(page).getByRole('button', { name: 'Choose from your takes' }).click();
    await tapeSheet(page)
      .getByRole('checkbox', { name: /Take 1/ })
      .check();
    await expect(tapeSheet(page).getByText('Safe on this phone')).toBeVisible({ timeout: 30_000 });

    // Whoever installed the app without signal since has to wait for it, and for nothing else.
    await tapeSheet(page).getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard', exact: true }).last().click();
    await page.evaluate(async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) if (request.url.includes('later-take')) await cache.delete(request);
      }
    });
    await page.getByRole('button', { name: 'Send a tape' }).click();
    await tapeSheet(page).getByRole('button', { name: 'Choose from your takes' }).click();
    await tapeSheet(page)
      .getByRole('checkbox', { name: /Take 1/ })
      .check();
    await expect(tapeSheet(page).getByText('Go online once to load what makes MP4 files.')).toBeVisible();
    await server.start();
    await expect(tapeSheet(page).getByText('Safe on this phone')).toBeVisible({ timeout: 60_000 });
  },
);
