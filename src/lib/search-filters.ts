import type { SearchQuery } from '#contract/records/search.ts';

/** What can be asked for, in the order it is told. The names are those of GET /search and of the page's address. */
export const FILTERS = [
  'q',
  'type',
  'industry',
  'age',
  'min_age',
  'max_age',
  'location',
  'language',
  'skill',
  'level',
  'min_height',
  'max_height',
  'hair',
  'eyes',
  'accent',
  'voice_language',
  'reel',
  'active',
] as const satisfies readonly (keyof SearchQuery)[];
export type FilterName = (typeof FILTERS)[number];

/** What is asked for, as text: what is not asked for is not there. */
export type SearchFilters = Partial<Record<FilterName, string>>;

/** Reads the filters of an address; everything else in it is none of ours. */
export function parseFilters(params: URLSearchParams): SearchFilters {
  const filters: SearchFilters = {};
  for (const name of FILTERS) {
    const value = params.getAll(name).join(',').trim();
    if (value !== '') filters[name] = value;
  }
  return filters;
}

/** Parts between commas. */
export const splitList = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
