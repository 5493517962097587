import type { Profile } from '#contract/records/profile.ts';
import type { AnyRow } from '#contract/section.ts';
import { perDay, range } from '#lib/amounts.ts';

export interface Fact {
  label: string;
  value: string;
}

/** Returns the facts that others see below the portrait, without empty ones. */
export function getPublicFacts(profile: Profile, rows: Readonly<Record<string, readonly AnyRow[]>>): Fact[] {
  const height = rows['attribute']?.find((row) => row.attribute_key === 'Height')?.attribute_value;
  const languages = (rows['language'] ?? []).map((row) => row.name).filter((name) => typeof name === 'string');
  return [
    { label: 'City', value: profile.location ?? '' },
    { label: 'Playing age', value: range(profile.min_age_range, profile.max_age_range) },
    { label: 'Height', value: typeof height === 'string' || typeof height === 'number' ? `${height} cm` : '' },
    { label: 'Languages', value: languages.join(', ') },
    { label: 'Day rate', value: profile.per_day == null ? '' : perDay(profile.per_day) },
  ].filter((fact) => fact.value !== '');
}
