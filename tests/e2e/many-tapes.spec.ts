import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { Mark } from '#contract/records/tapes.ts';
import type { AuditionRequest } from '#contract/records/casting.ts';
import { card, expectAllSaved } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { ask, FILM, makeRole, sendTape } from './support/casting.ts';
import { getOutbox } from './support/client-store.ts';
import { makePerson, makeProfile, type Person } from './support/people.ts';
import type { AppServer } from './support/server.ts';
import { expect, test } from './support/test.ts';

const MANY = 60;
const GRADES = ['A', 'B', 'C'] as const;

/** Asks performers for a role, each of whom announces a tape. @returns the performers */
async function fillRole(server: AppServer, owner: Person, roleId: string, names: readonly string[], film?: Buffer) {
  const performers: Person[] = [];
  for (const name of names) {
    const performer = await makePerson(server.url, { name });
    const profile = await makeProfile(performer, { title: 'Actor' });
    const request = await ask(owner, roleId, profile.id);
    await sendTape(server.url, performer, request.id, film ? { film } : {});
    performers.push(performer);
  }
  return performers;
}

/** The records of a type that the server has for a person. */
async function getRecords<T>(person: Person, type: string): Promise<T[]> {
  const { body } = await person.call<{ records: { type: string; body: T | null }[] }>('GET', '/sync');
  return body.records.flatMap((each) => (each.type === type && each.body !== null ? [each.body] : []));
}

const tiles = (page: Page) => card(page, 'Tapes').getByRole('listitem');
const player = (page: Page) => page.getByRole('dialog');

test(
  'sends sixty grades, sixty notes and an answer to everybody, made by keyboard without signal, once each',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(600_000);
    await makeProfile(person, { title: 'Casting director' });
    const role = await makeRole(person);
    const names = Array.from({ length: MANY }, (_, at) => `Performer ${at}`);
    const [performer] = await fillRole(server, person, role.id, names);
    const { page, ...desk } = await newDevice({ shape: 'desktop' });
    await desk.signInForOffline(person);
    await desk.open(`/casting/roles/${role.id}`);
    await expect(tiles(page)).toHaveCount(MANY);
    await card(page, 'Tapes').getByLabel('Order').selectOption('A to Z');
    await expect(tiles(page).first()).toContainText('Performer 0');

    await server.stop();
    await tiles(page).first().getByRole('button').press('Enter');
    for (const [at, name] of names.entries()) {
      await expect(player(page).getByRole('heading', { name, exact: true })).toBeVisible();
      await page.keyboard.press('n');
      await page.keyboard.type(`Note ${at}`);
      await page.keyboard.press('Escape');
      await page.keyboard.press(GRADES[at % GRADES.length]!.toLowerCase());
    }
    // The last one stays. A grade that is held down is one grade.
    await expect(player(page).getByText(`${MANY} of ${MANY}`)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(player(page)).toHaveCount(0);
    // A note that was under way when its grade came has a change of its own.
    await expect.poll(async () => (await getOutbox(page)).length).toBeGreaterThanOrEqual(MANY);
    await page.getByRole('button', { name: 'Role is cast' }).click();
    await page.getByRole('button', { name: `Answer ${MANY} people` }).click();
    await expect(player(page)).toHaveCount(0);

    await server.start();
    // The server dies while they come in: what it had done and not said yet is not done again.
    await expect.poll(async () => (await getOutbox(page)).length, { timeout: 120_000 }).toBeLessThan(MANY - 5);
    await server.kill();
    await server.start();
    await expect.poll(async () => (await getOutbox(page)).length, { timeout: 240_000 }).toBe(0);
    await expectAllSaved(page);

    const requests = await getRecords<AuditionRequest>(person, 'request');
    const marks = await getRecords<Mark>(person, 'mark');
    const found = requests.map(({ id, performer: who, answers }) => {
      const of = marks.filter(({ request_id: request }) => request === id);
      return [who?.name, of.map(({ grade, text }) => [grade, text]), answers.map(({ kind }) => kind)];
    });
    const expected = names.map((name, at) => [name, [[GRADES[at % GRADES.length], `Note ${at}`]], ['no_thank_you']]);
    expect(found.toSorted()).toEqual(expected.toSorted());
    type Told = { type: string }[];
    const told = (await performer!.call<Told>('GET', '/notifications')).body;
    expect(told.filter(({ type }) => type === 'audition.answered')).toHaveLength(1);
    for (const word of ['Note 0', '"grade"']) {
      expect(JSON.stringify((await performer!.call('GET', '/sync')).body)).not.toContain(word);
    }
  },
);

const CALLS_FOR_SIGNAL = 'Go online to watch this video.';
const expectFilm = (page: Page) =>
  expect(player(page).locator('video')).toHaveJSProperty('readyState', 4, { timeout: 60_000 });

test(
  'asks for signal in place of a film that is not on this device, and plays it when the server is back',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    await makeProfile(person, { title: 'Casting director' });
    const role = await makeRole(person);
    await fillRole(server, person, role.id, ['Arjun Nair', 'Devika Rao'], await readFile(FILM));
    const { page, ...desk } = await newDevice({ shape: 'desktop' });
    await desk.signInForOffline(person);
    await desk.open(`/casting/roles/${role.id}`);
    await expect(tiles(page)).toHaveCount(2);
    await server.stop();
    // A grade leads to the last tape, and only its request shows that the server is gone.
    await tiles(page).first().getByRole('button').click();
    await page.keyboard.press('a');
    await expect(player(page).getByText(CALLS_FOR_SIGNAL)).toBeVisible({ timeout: 30_000 });
    await server.start();
    await expectFilm(page);

    await server.stop();
    await page.keyboard.press('b');
    await expect(page.getByRole('complementary').getByText(/^No signal/)).toBeVisible({ timeout: 30_000 });
    const hadPlayer = page.evaluate(
      (words) =>
        new Promise<boolean>((resolve) => {
          const last = document.querySelector('dialog video');
          const observer = new MutationObserver(() => {
            const film = document.querySelector('dialog video');
            const isTold = document.querySelector('dialog')?.textContent.includes(words) === true;
            if (film === last || (film === null && !isTold)) return;
            observer.disconnect();
            resolve(film !== null);
          });
          observer.observe(document, { childList: true, subtree: true });
        }),
      CALLS_FOR_SIGNAL,
    );
    await page.keyboard.press('ArrowLeft');
    expect(await hadPlayer).toBe(false);
    await server.start();
    await expectFilm(page);
  },
);

test(
  'plays two tapes side by side, hears one of them, and keeps the order of the list',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    test.setTimeout(240_000);
    await makeProfile(person, { title: 'Casting director' });
    const role = await makeRole(person);
    await fillRole(server, person, role.id, ['Arjun Nair', 'Devika Rao', 'Zoya Sheikh'], await readFile(FILM));
    const { page, ...desk } = await newDevice({ shape: 'desktop' });
    await desk.signInForOffline(person);
    await desk.open(`/casting/roles/${role.id}`);
    await expect(tiles(page)).toHaveCount(3);
    await card(page, 'Tapes').getByLabel('Order').selectOption('A to Z');
    await tiles(page).first().getByRole('button').click();
    const videos = page.locator('dialog video');
    await expect(videos).toHaveCount(1);
    await page.keyboard.press('?');
    await expectAccessibleInBothSchemes(page);
    await page.getByRole('switch', { name: /^Use letters/ }).uncheck();
    await page.keyboard.press('2');
    await expect(videos).toHaveCount(1);
    await page.getByRole('switch', { name: /^Use letters/ }).check();
    await page.keyboard.press('2');

    await expect(videos).toHaveCount(2);
    const [left, right] = [
      page.getByRole('region', { name: 'First tape' }),
      page.getByRole('region', { name: 'Second tape' }),
    ];
    await expect(right.getByLabel('Second tape')).toHaveValue(/./);
    await expect(right.locator('option:checked')).toHaveText('Devika Rao');
    await expectAccessibleInBothSchemes(page);
    await page.keyboard.press('Space');
    for (const side of [left, right]) await expect(side.locator('video')).toHaveJSProperty('paused', false);
    await expect(left.locator('video')).toHaveJSProperty('muted', false);
    await expect(right.locator('video')).toHaveJSProperty('muted', true);
    await page.keyboard.press('m');
    await expect(left.locator('video')).toHaveJSProperty('muted', true);
    await expect(right.locator('video')).toHaveJSProperty('muted', false);
    await page.keyboard.press('b');
    await expect(right.getByRole('button', { name: 'B Maybe' })).toHaveAttribute('aria-pressed', 'true');
    await expect(left.getByRole('button', { name: 'B Maybe' })).toHaveAttribute('aria-pressed', 'false');
    // The sound stays with the second tape, so the arrows change the first.
    await page.keyboard.press('ArrowRight');
    await expect(left.locator('option:checked')).toHaveText('Zoya Sheikh');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(left.locator('video')).toBeInViewport({ ratio: 1 });
    await expect(right.locator('video')).toBeInViewport({ ratio: 1 });
    await page.goBack();
    await expect(player(page).getByRole('heading', { name: 'Arjun Nair' })).toBeVisible();
    await page.goBack();
    await expect(player(page)).toHaveCount(0);
    await card(page, 'Tapes')
      .getByRole('button', { name: /^No grade/ })
      .click();
    await expect(tiles(page)).toHaveText([/Arjun Nair/, /Zoya Sheikh/]);
  },
);

test(
  'watches beside the list, where another tile changes the tape and nothing that is typed elsewhere grades',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    await makeProfile(person, { title: 'Casting director' });
    const role = await makeRole(person);
    await fillRole(server, person, role.id, ['Arjun Nair', 'Devika Rao']);
    const { page, ...desk } = await newDevice({ shape: 'desktop' });
    await desk.signInForOffline(person);
    await desk.open(`/casting/roles/${role.id}`);
    const open = (name: string) => page.getByRole('button', { name: `Open the tape by ${name}` });
    await open('Arjun Nair').click();
    await expect(player(page)).toBeFocused();
    await open('Devika Rao').click();
    await expect(player(page).getByRole('heading', { name: 'Devika Rao' })).toBeVisible();
    await expect(open('Devika Rao')).toHaveAttribute('aria-current', 'true');
    await expect(player(page)).toBeFocused();

    await page.locator('#people-search').fill('');
    await page.locator('#people-search').pressSequentially('abc');
    const more = page.getByRole('button', { name: 'More for Arjun Nair' });
    await more.click();
    await page.keyboard.press('a');
    await page.keyboard.press('Escape');
    // Keys that come so soon that the menu does not have the focus yet are meant for the menu all the same.
    await more.evaluate((button: HTMLElement) => {
      button.click();
      for (const key of ['a', 'Escape'])
        button.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    });
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(player(page)).toBeVisible();
    await page.getByRole('button', { name: 'Role is cast' }).click();
    await page.getByRole('heading', { name: /is cast$/ }).click();
    await page.keyboard.press('b');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await player(page).getByRole('heading', { name: 'Devika Rao' }).click();
    await page.keyboard.press('c');
    await expect(open('Devika Rao, marked C')).toBeVisible();
    await expectAllSaved(page);
    expect((await getRecords<Mark>(person, 'mark')).map(({ grade }) => grade)).toEqual(['C']);

    // Back closes the player, however many tapes were watched in it.
    await page.goBack();
    await expect(player(page)).toHaveCount(0);
    await expect(page.getByRole('heading', { name: role.name, level: 1 })).toBeVisible();
  },
);
