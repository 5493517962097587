import { SKILL_LEVELS } from '#contract/sections/skill.ts';
import { type FilterName, listOf, type SearchFilters } from '#lib/search-filters.ts';
import type { FilterOptions } from './use-filter-options.ts';

/** One filter that is set, in words, and what takes it away. */
export interface ActiveFilter {
  label: string;
  names: readonly FilterName[];
}

const formatRange = (low: string | undefined, high: string | undefined) => {
  if (low && high) return low === high ? low : `${low} to ${high}`;
  return low ? `${low} and older` : `up to ${high}`;
};

function getOptionNames(lists: FilterOptions, name: keyof FilterOptions, filters: SearchFilters): string {
  const of = (id: string) => lists[name].find((each) => each.id === id)?.name ?? '…';
  return listOf(filters[name]).map(of).join(', ');
}

const toLevelText = (level: string | undefined) => {
  const word = SKILL_LEVELS.find(({ value }) => String(value) === level)?.label;
  if (word === undefined || level === '1') return '';
  return level === '3' ? `, ${word}` : `, ${word} or better`;
};

/** The filters that are set, each in a few words. */
export function getActiveFilters(filters: SearchFilters, lists: FilterOptions): ActiveFilter[] {
  const { age, min_age, max_age, location, skill, level, min_height, max_height, hair, eyes, reel, active } = filters;
  const found: (ActiveFilter | false | undefined)[] = [
    age !== undefined && { label: `Plays ${age}`, names: ['age'] },
    (min_age ?? max_age) !== undefined && {
      label: `Plays ${formatRange(min_age, max_age)}`,
      names: ['min_age', 'max_age'],
    },
    location !== undefined && { label: listOf(location).join(', '), names: ['location'] },
    filters.language !== undefined && { label: getOptionNames(lists, 'language', filters), names: ['language'] },
    skill !== undefined && { label: `${skill}${toLevelText(level)}`, names: ['skill', 'level'] },
    filters.type !== undefined && { label: getOptionNames(lists, 'type', filters), names: ['type'] },
    filters.industry !== undefined && { label: getOptionNames(lists, 'industry', filters), names: ['industry'] },
    (min_height ?? max_height) !== undefined && {
      label: `${formatRange(min_height, max_height)} cm`,
      names: ['min_height', 'max_height'],
    },
    hair !== undefined && { label: `${hair} hair`, names: ['hair'] },
    eyes !== undefined && { label: `${eyes} eyes`, names: ['eyes'] },
    filters.accent !== undefined && { label: `${getOptionNames(lists, 'accent', filters)} accent`, names: ['accent'] },
    filters.voice_language !== undefined && {
      label: `Reel in ${getOptionNames(lists, 'voice_language', filters)}`,
      names: ['voice_language'],
    },
    reel === '1' && { label: 'Has a reel', names: ['reel'] },
    active === '1' && { label: 'Active lately', names: ['active'] },
  ];
  return found.filter((each): each is ActiveFilter => Boolean(each));
}

/** Takes these filters away. */
export const toClearedFilters = (names: readonly FilterName[]) =>
  Object.fromEntries(names.map((name) => [name, undefined]));
