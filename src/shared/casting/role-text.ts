import { PROJECT_TYPES, type ProjectType } from '#contract/casting/project.ts';
import type { Project, Role } from '#contract/records/casting.ts';
import { toRanges } from '#lib/calendar-month.ts';
import { dayText } from '#lib/dates.ts';
import type { Fact } from './Facts.tsx';

/** 'Film, Tideline Pictures' */
export function projectFacts({ type, company }: Pick<Project, 'type' | 'company'>): string {
  const types: Readonly<Record<string, string>> = PROJECT_TYPES satisfies Record<ProjectType, string>;
  return [types[type] ?? type, company].filter(Boolean).join(', ');
}

/** '11 Jan 2027 to 6 Feb 2027' */
export function shootText({ shoot_from, shoot_to }: Partial<Pick<Project, 'shoot_from' | 'shoot_to'>>): string {
  const [from, to] = [dayText(shoot_from ?? ''), dayText(shoot_to ?? '')];
  if (from !== '' && to !== '' && from !== to) return `${from} to ${to}`;
  return from !== '' ? from : to === '' ? '' : `until ${to}`;
}

function ageText({ age_min, age_max }: Partial<Pick<Role, 'age_min' | 'age_max'>>): string {
  if (age_min != null && age_max != null) return age_min === age_max ? age_min : `${age_min} to ${age_max}`;
  return age_min != null ? `${age_min} and older` : age_max != null ? `up to ${age_max}` : '';
}

/** The days on which a role is shot: '11 Jan 2027 to 13 Jan 2027, 20 Jan 2027', or else those of the project. */
const roleShootText = (dates: readonly string[], project: Parameters<typeof shootText>[0]): string =>
  dates.length === 0
    ? shootText(project)
    : toRanges(dates.toSorted())
        .map(({ from, to }) => shootText({ shoot_from: from, shoot_to: to }))
        .join(', ');

type ShownRole = Partial<Pick<Role, 'age_min' | 'age_max' | 'pay' | 'location' | 'skills'>>;

/** What a performer asks first about a role. @param shootDates days that a request names */
export const roleFacts = (
  role: ShownRole,
  project: Parameters<typeof shootText>[0],
  shootDates: readonly string[] = [],
): Fact[] => [
  { label: 'Plays', words: ageText(role) },
  { label: 'Pay', words: role.pay ?? '' },
  { label: 'Shoots', words: roleShootText(shootDates, project) },
  { label: 'Where', words: role.location ?? '' },
  { label: 'Skills', words: role.skills ?? '' },
];
