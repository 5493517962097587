import type { Page } from '@playwright/test';
import { pathOf } from '#contract/path.ts';
import { getFormTitles, type AnyRow, type Section } from '#contract/section.ts';
import { formatFields } from '#lib/section-layout.ts';
import { ON_THIS_DEVICE, expectAllSaved, card, openSignedIn, openAdd, save, sheet } from './actions.ts';
import { expectAccessible } from './axe.ts';
import type { Device, DeviceOptions } from './device.ts';
import { makeProfile, type Person } from './people.ts';
import { buildChangedRow, fillSection } from './section-form.ts';
import { countLookupItems } from './client-store.ts';
import { expect, test } from './test.ts';

/** The section's rows on the server: one combined row for a set, one row for a single record. */
export async function getStoredRows(person: Person, section: Section, profileId: string | number): Promise<AnyRow[]> {
  const path = pathOf(section.endpoints.list, { profileId: String(profileId) });
  const { body } = await person.call<AnyRow | AnyRow[]>('GET', path);
  if (section.set) return (body as AnyRow[]).length === 0 ? [] : [section.set.valuesOf(body as AnyRow[])];
  return Array.isArray(body) ? body : [body];
}

/** Creates a profile of a kind that has the section. */
export async function makeProfileWith(person: Person, section: Section): Promise<{ id: string | number }> {
  const types = await person.call<{ id: string; slug: string }[]>('GET', '/profile_types');
  const slug = section.profileTypes?.[0] ?? 'actor-performer';
  return makeProfile(person, { profile_type_id: types.body.find((type) => type.slug === slug)?.id });
}

/** The texts that a section's card shows for a row: title and subtitle in a list, each line of a single record. */
export async function getCardText(person: Person, section: Section, row: AnyRow): Promise<string[]> {
  const isRecord = section.cardinality === 'set' || section.maxItems === 1;
  if (!isRecord) {
    const { title, subtitle } = section.card(row);
    return [title, ...(subtitle?.split(' · ') ?? [])].filter((words) => words !== '');
  }
  const lists = await Promise.all(
    Object.entries(section.fields).map(async ([key, field]) => {
      if (field.kind !== 'ids') return [];
      const { body } = await person.call<{ id: string; name: string }[]>('GET', `/${field.lookup}`);
      return (row[key] as string[]).map((id) => body.find((each) => String(each.id) === id)?.name ?? id);
    }),
  );
  const lines = formatFields(section, row).flatMap(({ keys: [key = ''], label, words }) => {
    const kind = section.fields[key]?.kind;
    // The card leaves out empty fields and flags that are off.
    if (words === '' || kind === 'ids' || (kind === 'flag' && row[key] !== true)) return [];
    return [label + (kind === 'link' ? words.replace(/^https?:\/\//, '') : words)];
  });
  return [...lists.flat(), ...lines];
}

/** Expects the card to show all of these texts. */
export async function expectOnCard(page: Page, title: string, words: readonly string[]): Promise<void> {
  expect(words.length).toBeGreaterThan(0);
  for (const each of words) await expect(card(page, title)).toContainText(each);
}

/** The row that an empty form saves, which is how a single record is deleted. */
const getEmptyRow = (section: Section): AnyRow =>
  section.set?.valuesOf([]) ?? Object.fromEntries(Object.keys(section.fields).map((key) => [key, null]));

/** The section's rows on the server that are not empty. */
async function getRemainingRows(person: Person, section: Section, profileId: string | number): Promise<AnyRow[]> {
  const nothing = getEmptyRow(section);
  const rows = await getStoredRows(person, section, profileId);
  return rows.filter((row) => Object.entries(nothing).some(([key, value]) => String(row[key]) !== String(value)));
}

interface LifecycleOptions {
  /** Sections of one kind of profile. */
  sections: readonly Section[];
  person: Person;
  phone: Device;
  newDevice: (options?: Partial<DeviceOptions>) => Promise<Device>;
  /** Checks the edited row from elsewhere, such as the API, before it is deleted. */
  checkElsewhere?: (section: Section, row: AnyRow, profileId: string | number) => Promise<void>;
}

/** A section in the browser: its card, its sheet titles, and its row before and after the edit. */
function describeSection(section: Section, page: Page) {
  const titles = getFormTitles(section);
  const isMany = section.cardinality === 'many';
  const example = { ...section.example };
  const here = card(page, section.title);
  return {
    section,
    isMany,
    isList: isMany && section.maxItems !== 1,
    /** Rows of this section cannot be deleted. */
    isPermanent: isMany && section.endpoints.remove === null,
    addTitle: isMany ? titles.add : section.title,
    editTitle: isMany ? titles.edit : section.title,
    example,
    row: { ...example, ...buildChangedRow(section) },
    here,
    more: here.getByRole('button', { name: /^More for/ }),
  };
}

/**
 * Takes a row of each section through its lifecycle: created in an accessible form, edited and deleted offline, across
 * reloads. Expects each change once on the server and on the person's other device.
 */
export async function runSectionLifecycle({
  sections,
  person,
  phone,
  newDevice,
  checkElsewhere,
}: LifecycleOptions): Promise<void> {
  phone.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  const profile = await makeProfileWith(person, sections[0]!);
  const { page } = phone;
  await openSignedIn(page, person);
  await phone.readyForOffline();
  // The app loads the lookup lists in the background.
  await expect.poll(() => countLookupItems(page, 'languages')).toBeGreaterThan(20);
  const parts = sections.map((section) => describeSection(section, page));
  type Part = (typeof parts)[number];
  const each = async (what: string, act: (part: Part) => Promise<void>, of = parts) => {
    for (const part of of) await test.step(`${part.section.key} ${what}`, () => act(part));
  };
  const editing = async ({ section, here, isList, more, editTitle }: Part, row: AnyRow) => {
    if (isList) {
      await more.click();
      await page.getByRole('menuitem', { name: 'Edit' }).click();
    } else await here.getByRole('button', { name: `Edit ${section.title}` }).click();
    await fillSection(sheet(page, editTitle), section, row);
    await save(page, editTitle);
  };

  await phone.context.setOffline(true);
  await each('is created', async ({ section, addTitle, example, here }) => {
    await openAdd(page, section.title);
    await expect(sheet(page, addTitle)).toBeVisible();
    await expectAccessible(page);
    await fillSection(sheet(page, addTitle), section, example);
    await save(page, addTitle);
    await expect(here.getByText(ON_THIS_DEVICE)).toHaveCount(1);
    await expectOnCard(page, section.title, await getCardText(person, section, example));
  });
  await each('is edited', (part) => editing(part, part.row));
  await phone.open('/');
  await each('is on the phone', ({ here }) => expect(here.getByText(ON_THIS_DEVICE)).toHaveCount(1));

  await phone.context.setOffline(false);
  await expectAllSaved(page);
  await each('is on the server', async ({ section, row }) => {
    expect(await getStoredRows(person, section, profile.id)).toEqual([expect.objectContaining(row)]);
  });

  const laptop = await newDevice({ shape: 'desktop' });
  await laptop.signInAs(person);
  await laptop.open('/');
  const textsBySection = new Map<Section, string[]>();
  await each('is on the other device', async ({ section, row, example }) => {
    const words = await getCardText(person, section, row);
    textsBySection.set(section, words);
    // The edit must be visible on the card.
    expect(words).not.toEqual(await getCardText(person, section, example));
    await expectOnCard(laptop.page, section.title, words);
    const there = card(laptop.page, section.title);
    await expect(there.getByRole('button', { name: /^(Add to|Edit) / })).toBeVisible();
    await checkElsewhere?.(section, row, profile.id);
  });

  const passing = parts.filter(({ isPermanent }) => !isPermanent);
  if (passing.length === 0) return;
  await phone.context.setOffline(true);
  await each(
    'is deleted',
    async (part) => {
      if (!part.isMany) return editing(part, getEmptyRow(part.section));
      await part.more.click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await expect(part.more).toHaveCount(0);
    },
    passing,
  );
  await phone.open('/');
  const add = { name: /^Add (?!to )/ };
  await each('is gone from the phone', ({ here }) => expect(here.getByRole('button', add)).toBeVisible(), passing);
  await phone.context.setOffline(false);
  const left = async ({ section }: Part) => getRemainingRows(person, section, profile.id);
  await each(
    'is gone from the server',
    (part) => expect.poll(() => left(part), { timeout: 30_000 }).toEqual([]),
    passing,
  );
  await laptop.open('/');
  await each(
    'is gone from the other device',
    async (part) => {
      const there = card(laptop.page, part.section.title);
      await expect(there.getByRole('button', add)).toBeVisible();
      for (const words of textsBySection.get(part.section) ?? []) await expect(there).not.toContainText(words);
    },
    passing,
  );
}
