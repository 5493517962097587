import { SECTIONS } from '#contract/sections/index.ts';
import { test } from './support/test.ts';
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
