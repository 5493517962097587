import type { Locator, Page } from '@playwright/test';
import type { Candidate } from '#contract/records/shortlist.ts';
import { expectAllSaved, sheet } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { make, makeRole } from './support/casting.ts';
import { makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

const column = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });
const cards = (page: Page, name: string): Promise<string[]> =>
  column(page, name).getByRole('listitem').locator('b').allTextContents();
const handle = (page: Page, name: string): Locator => page.getByRole('button', { name: `Move ${name}` });

/** What the server has of the shortlists of somebody, in order. */
async function readCandidates(person: Person): Promise<string[]> {
  const { body } = await person.call<{ records: { type: string; body: Candidate }[] }>('GET', '/sync');
  return body.records
    .filter(({ type }) => type === 'candidate')
    .map(({ body: candidate }) => candidate)
    .sort((a, b) => (a.position < b.position ? -1 : 1))
    .map(({ column: id, performer }) => `${id} ${performer.name}`);
}

/** A role with a shortlist of so many performers. */
async function makeShortlist(owner: Person, url: string, positions: readonly string[]) {
  await makeProfile(owner, { title: 'Casting director' });
  const role = await makeRole(owner);
  const names: string[] = [];
  for (const position of positions) {
    const performer = await makePerson(url);
    const profile = await makeProfile(performer, { title: 'Actor' });
    await make(owner, '/casting/candidates', { role_id: role.id, profile_id: profile.id, column: 'ideas', position });
    names.push(performer.name);
  }
  return { path: `/casting/roles/${role.id}/shortlist`, names };
}

async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  await page.mouse.move(start!.x + 20, start!.y + 8);
  await page.mouse.down();
  await page.mouse.move(end!.x + 40, end!.y + end!.height - 4, { steps: 8 });
  await page.mouse.up();
}

test(
  'cards are dragged, moved by keyboard and put into a new column without signal, and arrive in that order',
  { tag: '@full' },
  async ({ server, person: owner, newDevice }) => {
    const { path, names } = await makeShortlist(owner, server.url, ['F', 'V', 'k']);
    const [first, second, third] = names as [string, string, string];
    const desk = await newDevice({ shape: 'desktop' });
    const { page } = desk;
    await desk.signInForOffline(owner);
    await desk.open(path);
    await expect.poll(() => cards(page, 'Ideas')).toEqual(names);
    await server.stop();
    // By mouse, into the next column.
    await drag(page, column(page, 'Ideas').getByRole('listitem').filter({ hasText: first }), column(page, 'To ask'));
    await expect.poll(() => cards(page, 'To ask')).toEqual([first]);
    // By keyboard, before the one that was behind.
    await handle(page, third).focus();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => cards(page, 'Ideas')).toEqual([third, second]);
    await expect(handle(page, third)).toBeFocused();
    // Into a column of its own.
    await page.getByRole('button', { name: 'Add a column' }).click();
    await sheet(page, 'Add a column').getByLabel('Name').fill('Dancers');
    await sheet(page, 'Add a column').getByRole('button', { name: 'Save' }).click();
    await handle(page, second).click();
    await page.getByRole('menuitem', { name: 'Move to Dancers' }).click();
    await expect.poll(() => cards(page, 'Dancers')).toEqual([second]);
    await expectAccessibleInBothSchemes(page);
    await page.reload();
    await expect.poll(() => cards(page, 'Dancers')).toEqual([second]);
    await server.start();
    await expectAllSaved(page);
    const arrived = await readCandidates(owner);
    expect(arrived.toSorted()).toEqual(
      [`ideas ${third}`, `to-ask ${first}`, expect.stringMatching(new RegExp(` ${second}$`))].toSorted(),
    );
  },
);
