import type { Locator } from '@playwright/test';
import { SECTIONS } from '#contract/sections/index.ts';
import { card } from './support/acts.ts';
import { makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { exchangeWords } from './support/words-story.ts';

for (const section of SECTIONS.filter((each) => each.writtenBy === 'viewers')) {
  test(`${section.key}: written and reworded without signal, hidden, shown and deleted by the owner`, async ({
    server,
    person,
    phone,
    newDevice,
  }) => {
    await exchangeWords({ section, url: server.url, person, phone, newDevice });
  });
}

test('a card that is not there leaves no gap', async ({ person, phone }) => {
  await makeProfile(person);
  await phone.signInAs(person);
  await phone.open('/');
  const { page } = phone;
  const edges = async (where: Locator) => {
    const box = await where.boundingBox();
    if (box === null) throw new Error('It is not on the page');
    return { top: box.y, bottom: box.y + box.height };
  };
  const between = async (upper: string, lower: string) => {
    await expect(card(page, lower)).toBeVisible();
    return Math.round((await edges(card(page, lower))).top - (await edges(card(page, upper))).bottom);
  };
  // Between these two stands what others say, once somebody does.
  const gap = await between('Social Media / Links', 'Contacts');
  expect(gap).toBe(await between('Contacts', 'My Policy'));
});
