import { pathOf } from '#contract/calls.ts';
import type { AnyRow, Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { PHONE_WORD, allSaved, card, enter, openAdd, save, sheet } from './support/acts.ts';
import { makeProfile, type Person } from './support/people.ts';
import { changedRow, fillSection } from './support/section-form.ts';
import { keptLookup } from './support/stored.ts';
import { expect, test } from './support/test.ts';

/** What the owner of a profile writes; words of others have a story of their own. */
const OWN = SECTIONS.filter((section) => section.writtenBy === undefined);

/** The section as the server has it, as one row: of a set its values, of a single value the record. */
async function stored(person: Person, section: Section, profileId: string | number): Promise<AnyRow[]> {
  const path = pathOf(section.endpoints.list, { profileId: String(profileId) });
  const { body } = await person.call<AnyRow | AnyRow[]>('GET', path);
  if (section.set) return (body as AnyRow[]).length === 0 ? [] : [section.set.valuesOf(body as AnyRow[])];
  return Array.isArray(body) ? body : [body];
}

for (const section of OWN) {
  test(`${section.key}: written, changed and deleted without signal, once on the server and on the other device`, async ({
    person,
    phone,
    newDevice,
  }) => {
    phone.expectTrouble(/ERR_INTERNET_DISCONNECTED/);
    const types = (await person.call<{ id: string; slug: string }[]>('GET', '/profile_types')).body;
    const slug = section.profileTypes?.[0] ?? 'actor-performer';
    const type = types.find((each) => each.slug === slug);
    const profile = await makeProfile(person, { profile_type_id: type?.id });
    const { page } = phone;
    await enter(page, person);
    await phone.readyForOffline();
    // The lists to choose from come by themselves.
    await expect.poll(() => keptLookup(page, 'languages')).toBeGreaterThan(20);
    const example = { ...section.example };
    const change = changedRow(section);
    const titles = section.formTitles ?? { add: `Add ${section.noun}`, edit: `Edit ${section.noun}` };
    const isMany = section.cardinality === 'many';
    const isList = isMany && section.most !== 1;
    const addTitle = isMany ? titles.add : section.title;
    const editTitle = isMany ? titles.edit : section.title;
    const here = card(page, section.title);
    const more = () => here.getByRole('button', { name: /^More for/ });

    await phone.context.setOffline(true);
    await openAdd(page, section.title);
    await fillSection(sheet(page, addTitle), section, example);
    await save(page, addTitle);
    await expect(here.getByText(PHONE_WORD)).toHaveCount(1);

    if (isList) {
      await more().click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    } else await here.getByRole('button', { name: `Edit ${section.title}` }).click();
    await fillSection(sheet(page, editTitle), section, { ...example, ...change });
    await save(page, editTitle);
    await phone.open('/');
    await expect(here.getByText(PHONE_WORD)).toHaveCount(1);

    await phone.context.setOffline(false);
    await allSaved(page);
    const row = { ...example, ...change };
    expect(await stored(person, section, profile.id)).toEqual([expect.objectContaining(row)]);

    const laptop = await newDevice({ shape: 'desktop' });
    await laptop.signInAs(person);
    await laptop.open('/');
    const there = card(laptop.page, section.title);
    await expect(there.getByRole('button', { name: /^(Add to|Edit) / })).toBeVisible();

    if (!isMany || section.endpoints.remove === null) return;
    await phone.context.setOffline(true);
    await more().click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expect(more()).toHaveCount(0);
    await phone.open('/');
    await phone.context.setOffline(false);
    await expect.poll(() => stored(person, section, profile.id), { timeout: 30_000 }).toEqual([]);
    await laptop.open('/');
    await expect(there.getByRole('button', { name: /^Add (a|an|links)/ })).toBeVisible();
  });
}
