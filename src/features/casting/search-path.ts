import type { Role } from '#contract/records/casting.ts';

/** What of a role the search can look for. */
export type SearchedRole = Pick<Role, 'age_min' | 'age_max' | 'skills' | 'location'>;

/**
 * The search with what a role asks for as its filters.
 * @param shortlistOf the role to whose shortlist the results can be added
 */
export function getSearchPath({ age_min, age_max, skills, location }: SearchedRole, shortlistOf?: string): string {
  const params = new URLSearchParams();
  if (age_min !== null) params.set('min_age', age_min);
  if (age_max !== null) params.set('max_age', age_max);
  // The search looks for one skill at a time. A role names the most important one first.
  const [skill = ''] = (skills ?? '').split(',');
  if (skill.trim() !== '') params.set('skill', skill.trim());
  // The search takes commas as "or", so "Mumbai, India" would list everybody in India.
  const [place = ''] = (location ?? '').split(',');
  if (place.trim() !== '') params.set('location', place.trim());
  if (shortlistOf !== undefined) params.set('shortlist', shortlistOf);
  return `/search?${params}`;
}
