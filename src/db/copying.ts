import type { Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AccountDb } from './database.ts';
import { sectionsItems } from './queries.ts';
import { profileItem } from './single-items.ts';

/** Profile facts that can be copied. The form of a new profile asks for name, title and city itself. */
const FACTS = ['per_day', 'dob', 'min_age_range', 'max_age_range', 'profile_industry_id'] as const;
const FACTS_KEY = 'facts';

/** A part of a profile that can be copied to another one. */
export interface CopyPart {
  /** 'facts' or a section key. */
  key: string;
  title: string;
  /** Number of rows; 1 for a single value. */
  count: number;
}

export interface Copied {
  /** Fields of the profile itself. */
  fields: Record<string, unknown>;
  /** In the order of creation. */
  rows: { type: string; fields: Record<string, unknown>; isSet: boolean }[];
}

/** Sections that the owner fills in and that a profile of this type has. */
function sectionsFor(typeSlug: string): Section[] {
  return SECTIONS.filter(
    (section) => section.writtenBy === undefined && (section.profileTypes?.includes(typeSlug) ?? true),
  );
}

const isFilled = (value: unknown) => value !== null && value !== undefined && value !== '';
const fieldsOf = (section: Section, body: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(section.fields).map((key) => [key, body[key] ?? null]));

/** The parts of a profile, including unsent changes, that a new profile of the given type can copy. */
export async function copyParts(db: AccountDb, profileId: string, typeSlug: string): Promise<CopyPart[]> {
  const profile = await profileItem(db, profileId);
  if (profile === undefined) return [];
  const parts: CopyPart[] = [];
  if (FACTS.some((key) => isFilled(profile.body[key]))) {
    parts.push({ key: FACTS_KEY, title: 'Day rate, date of birth, playing age', count: 1 });
  }
  const sections = sectionsFor(typeSlug);
  const found = await sectionsItems(db, sections, profileId);
  for (const section of sections) {
    const items = found.get(section.key) ?? [];
    const filled = items.filter((item) => Object.keys(section.fields).some((key) => isFilled(item.body[key])));
    if (filled.length > 0) parts.push({ key: section.key, title: section.title, count: filled.length });
  }
  return parts;
}

/** The current values of the chosen parts, for `engine.createProfile`. */
export async function copyOf(
  db: AccountDb,
  profileId: string,
  typeSlug: string,
  keys: ReadonlySet<string>,
): Promise<Copied> {
  const profile = await profileItem(db, profileId);
  const copied: Copied = { fields: {}, rows: [] };
  if (profile === undefined) return copied;
  if (keys.has(FACTS_KEY)) {
    for (const key of FACTS) if (isFilled(profile.body[key])) copied.fields[key] = profile.body[key];
  }
  const sections = sectionsFor(typeSlug).filter(({ key }) => keys.has(key));
  const found = await sectionsItems(db, sections, profileId);
  for (const section of sections) {
    const items = found.get(section.key) ?? [];
    if (section.cardinality === 'one') Object.assign(copied.fields, items[0] && fieldsOf(section, items[0].body));
    // Lists show the newest record first, so create them in reverse order.
    else {
      const isSet = section.cardinality === 'set';
      for (const item of items.reverse()) {
        const whole = fieldsOf(section, item.body);
        // An empty field of a set means a missing row.
        const fields = isSet ? Object.fromEntries(Object.entries(whole).filter(([, value]) => isFilled(value))) : whole;
        copied.rows.push({ type: section.key, fields, isSet });
      }
    }
  }
  return copied;
}
