import { SKILL_LEVELS } from '#contract/sections/skill.ts';
import { type FilterName, splitList, type SearchFilters } from '#lib/search-filters.ts';
import type { FilterOptions } from './use-filter-options.ts';

/** An active filter: its label, and the parameters that set it. */
export interface ActiveFilter {
  label: string;
  names: readonly FilterName[];
}

/** @param openEnded what a range without an upper end is called: '30 and older' */
const formatRange = (low: string | undefined, high: string | undefined, openEnded: (low: string) => string) => {
  if (low && high) return low === high ? low : `${low} to ${high}`;
  return low ? openEnded(low) : `up to ${high}`;
};

function getOptionNames(options: FilterOptions, name: keyof FilterOptions, filters: SearchFilters): string {
  const getName = (id: string) => options[name].find((each) => each.id === id)?.name ?? '…';
  return splitList(filters[name]).map(getName).join(', ');
}

const toLevelText = (level: string | undefined) => {
  const word = SKILL_LEVELS.find(({ value }) => String(value) === level)?.label;
  if (word === undefined || level === '1') return '';
  return level === '3' ? `, ${word}` : `, ${word} or better`;
};

/** Returns the active filters with their labels. */
export function getActiveFilters(filters: SearchFilters, options: FilterOptions): ActiveFilter[] {
  const { age, min_age, max_age, location, skill, level, min_height, max_height, hair, eyes, reel, active } = filters;
  const candidates: (ActiveFilter | false | undefined)[] = [
    age !== undefined && { label: `Plays ${age}`, names: ['age'] },
    (min_age ?? max_age) !== undefined && {
      label: `Plays ${formatRange(min_age, max_age, (low) => `${low} and older`)}`,
      names: ['min_age', 'max_age'],
    },
    location !== undefined && { label: splitList(location).join(', '), names: ['location'] },
    filters.language !== undefined && { label: getOptionNames(options, 'language', filters), names: ['language'] },
    skill !== undefined && { label: `${skill}${toLevelText(level)}`, names: ['skill', 'level'] },
    filters.type !== undefined && { label: getOptionNames(options, 'type', filters), names: ['type'] },
    filters.industry !== undefined && { label: getOptionNames(options, 'industry', filters), names: ['industry'] },
    (min_height ?? max_height) !== undefined && {
      label: `Height ${formatRange(min_height, max_height, (low) => `from ${low}`)} cm`,
      names: ['min_height', 'max_height'],
    },
    hair !== undefined && { label: `${hair} hair`, names: ['hair'] },
    eyes !== undefined && { label: `${eyes} eyes`, names: ['eyes'] },
    filters.accent !== undefined && {
      label: `${getOptionNames(options, 'accent', filters)} accent`,
      names: ['accent'],
    },
    filters.voice_language !== undefined && {
      label: `Reel in ${getOptionNames(options, 'voice_language', filters)}`,
      names: ['voice_language'],
    },
    reel === '1' && { label: 'Has a reel', names: ['reel'] },
    active === '1' && { label: 'Active lately', names: ['active'] },
  ];
  return candidates.filter((each): each is ActiveFilter => Boolean(each));
}

/** Returns the change that clears these filters. */
export const toClearedFilters = (names: readonly FilterName[]) =>
  Object.fromEntries(names.map((name) => [name, undefined]));
