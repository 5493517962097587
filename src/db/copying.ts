import type { Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { AccountDb } from './database.ts';
import { sectionsItems } from './queries.ts';
import { profileItem } from './single-items.ts';

/** The facts beside name, title and city, which a new profile asks for itself. */
const FACTS = ['per_day', 'dob', 'min_age_range', 'max_age_range', 'profile_industry_id'] as const;
const FACTS_KEY = 'facts';

/** A part of a profile that another one may take over. */
export interface CopyPart {
  /** 'facts' or a section key. */
  key: string;
  title: string;
  /** Rows; 1 for what is one value. */
  count: number;
}

export interface Copied {
  /** For the profile itself. */
  fields: Record<string, unknown>;
  /** In the order in which they are to be made. */
  rows: { type: string; fields: Record<string, unknown>; isSet: boolean }[];
}

/** Sections whose words are the owner's, as far as a profile of this kind has them. */
function sectionsFor(typeSlug: string): Section[] {
  return SECTIONS.filter(
    (section) => section.writtenBy === undefined && (section.profileTypes?.includes(typeSlug) ?? true),
  );
}

const isFilled = (value: unknown) => value !== null && value !== undefined && value !== '';
const fieldsOf = (section: Section, body: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(section.fields).map((key) => [key, body[key] ?? null]));

/** What lies in a profile, unsent changes included, that a new one of that kind could take over. */
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

/** The chosen parts of a profile as they stand now, for `engine.createProfile`. */
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
    // The newest made stands on top, so what stands on top is made last.
    else {
      const isSet = section.cardinality === 'set';
      for (const item of items.reverse()) {
        const whole = fieldsOf(section, item.body);
        // A field of a set that holds nothing is a row that is not there.
        const fields = isSet ? Object.fromEntries(Object.entries(whole).filter(([, value]) => isFilled(value))) : whole;
        copied.rows.push({ type: section.key, fields, isSet });
      }
    }
  }
  return copied;
}
