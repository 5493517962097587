import { SECTIONS } from '#contract/sections/index.ts';
import { liveSection } from './support/section-story.ts';
import { test } from './support/test.ts';

/** What the owner of a profile writes; words of others have a story of their own. */
const OWN = SECTIONS.filter((section) => section.writtenBy === undefined);

for (const section of OWN) {
  test(`${section.key}: written, changed and deleted without signal, once on the server and on the other device`, async ({
    person,
    phone,
    newDevice,
  }) => {
    await liveSection({ section, person, phone, newDevice });
  });
}
