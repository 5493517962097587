import type { AnyRow, Section } from '#contract/section.ts';
import { money } from '#lib/amounts.ts';
import { dayText } from '#lib/dates.ts';
import { type Line, formatFields } from '#lib/section-layout.ts';

const formatPlain = (value: unknown) => String(value);
const formatAmount = (value: unknown) => (typeof value === 'number' ? money(value) : formatPlain(value));
const formatDay = (value: unknown) => dayText(formatPlain(value)) || formatPlain(value);

/** The labels and formats of a profile's fields. A profile is not a section, so no section defines them. */
const PROFILE_FACTS: Record<string, { label: string; words: (value: unknown) => string }> = {
  stage_name: { label: 'Stage name', words: formatPlain },
  title: { label: 'Title', words: formatPlain },
  location: { label: 'City', words: formatPlain },
  per_day: { label: 'Day rate', words: formatAmount },
  dob: { label: 'Date of birth', words: formatDay },
  min_age_range: { label: 'Youngest playing age', words: formatPlain },
  max_age_range: { label: 'Oldest playing age', words: formatPlain },
  status: { label: 'Status', words: (value) => (value === 'active' ? 'Active' : 'Inactive') },
};

const getProfileLines = (body: AnyRow): Line[] =>
  Object.entries(PROFILE_FACTS).map(([key, { label, words }]) => {
    const value = body[key];
    return { keys: [key], label, words: value === null || value === undefined ? '' : words(value) };
  });

/**
 * Returns the lines of a record, as the conflict sheet shows them and Copy text copies them.
 * @param section the record's section or kind; undefined for a profile
 */
export function getRecordLines(section: Pick<Section, 'fields'> | undefined, body: AnyRow): Line[] {
  return section ? formatFields(section, body) : getProfileLines(body);
}
