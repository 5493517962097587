import type { AnyRow, Section } from '#contract/section.ts';
import { money } from '#lib/amounts.ts';
import { dayText } from '#lib/dates.ts';
import { momentText } from '#lib/deadline.ts';
import { type Line, formatFields } from '#lib/section-layout.ts';

const formatPlain = (value: unknown) => String(value);
const formatAmount = (value: unknown) => (typeof value === 'number' ? money(value) : formatPlain(value));
const formatMoment = (value: unknown) => momentText(Date.parse(formatPlain(value)), Date.now());
const formatDay = (value: unknown) => dayText(formatPlain(value)) || formatPlain(value);

type Facts = Readonly<Record<string, { label: string; words: (value: unknown, body: AnyRow) => string }>>;

/** The field of a body that holds the name of a profile's industry, for the lines: the profile has its id alone. */
export const INDUSTRY_NAME = 'industry_name';

/** The labels and formats of a profile's fields. A profile is not a section, so no section defines them. */
const PROFILE_FACTS: Facts = {
  stage_name: { label: 'Stage name', words: formatPlain },
  title: { label: 'Title', words: formatPlain },
  location: { label: 'City', words: formatPlain },
  per_day: { label: 'Day rate', words: formatAmount },
  dob: { label: 'Date of birth', words: formatDay },
  min_age_range: { label: 'Youngest playing age', words: formatPlain },
  max_age_range: { label: 'Oldest playing age', words: formatPlain },
  status: { label: 'Status', words: (value) => (value === 'active' ? 'Active' : 'Inactive') },
  profile_industry_id: {
    label: 'Industry',
    words: (id, body) =>
      typeof body[INDUSTRY_NAME] === 'string' ? body[INDUSTRY_NAME] : `No. ${String(id)} (its name is not loaded)`,
  },
  description: { label: 'About me', words: formatPlain },
};

/** What the sender of a request to audition can change. */
const REQUEST_FACTS: Facts = {
  deadline_at: { label: 'Due', words: formatMoment },
  sides_text: { label: 'Sides', words: formatPlain },
  instructions: { label: 'What to send', words: formatPlain },
};

const listFacts = (facts: Facts, body: AnyRow): Line[] =>
  Object.entries(facts).map(([key, { label, words }]) => {
    const value = body[key];
    return { keys: [key], label, words: value === null || value === undefined ? '' : words(value, body) };
  });

/**
 * Returns the lines of a record, as the conflict sheet shows them and Copy text copies them.
 * @param section the record's section or kind; undefined for a profile or a request to audition
 */
export function getRecordLines(section: Pick<Section, 'fields'> | undefined, body: AnyRow): Line[] {
  return section ? formatFields(section, body) : listFacts('deadline_at' in body ? REQUEST_FACTS : PROFILE_FACTS, body);
}
