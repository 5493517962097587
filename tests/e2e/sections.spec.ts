import type { Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { runSectionLifecycle } from './support/section-lifecycle.ts';
import { test } from './support/test.ts';

/** Sections that share two browsers: opening a browser takes longer than a section's whole lifecycle. */
const GROUP_SIZE = 4;

/** The sections that a profile's owner writes, grouped by kind of profile. Feedback sections have their own test. */
function groups(): Section[][] {
  const own = SECTIONS.filter((section) => section.writtenBy === undefined);
  const kinds = new Map<string, Section[]>();
  for (const section of own) {
    const kind = section.profileTypes?.[0] ?? 'any';
    kinds.set(kind, [...(kinds.get(kind) ?? []), section]);
  }
  return [...kinds.values()].flatMap((sections) =>
    sections.flatMap((_, at) => (at % GROUP_SIZE === 0 ? [sections.slice(at, at + GROUP_SIZE)] : [])),
  );
}

for (const [at, sections] of groups().entries()) {
  const keys = sections.map(({ key }) => key).join(', ');
  const title = `${keys}: writes, edits and deletes a row offline, once on the server and on the other device`;
  // The first group has a field of every kind; the simulation covers every section in each run.
  test(title, { tag: at === 0 ? [] : ['@full'] }, async ({ person, phone, newDevice }) => {
    await runSectionLifecycle({ sections, person, phone, newDevice });
  });
}
