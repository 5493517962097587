import type { Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { runSectionLifecycle } from './support/section-lifecycle.ts';
import { test } from './support/test.ts';

/** Lives that share two browsers: opening them takes longer than a row's whole life. */
const TOGETHER = 4;

/** What the owner of a profile writes; words of others have a story of their own. Together what one kind of profile has. */
function groups(): Section[][] {
  const own = SECTIONS.filter((section) => section.writtenBy === undefined);
  const kinds = new Map<string, Section[]>();
  for (const section of own) {
    const kind = section.profileTypes?.[0] ?? 'any';
    kinds.set(kind, [...(kinds.get(kind) ?? []), section]);
  }
  return [...kinds.values()].flatMap((sections) =>
    sections.flatMap((_, at) => (at % TOGETHER === 0 ? [sections.slice(at, at + TOGETHER)] : [])),
  );
}

for (const [at, sections] of groups().entries()) {
  const keys = sections.map(({ key }) => key).join(', ');
  const title = `${keys}: written, changed and deleted without signal, once on the server and on the other device`;
  // One group has a field of every kind; the simulation takes every section through its life in each run.
  test(title, { tag: at === 0 ? [] : ['@full'] }, async ({ person, phone, newDevice }) => {
    await runSectionLifecycle({ sections, person, phone, newDevice });
  });
}
