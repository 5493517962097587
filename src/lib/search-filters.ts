import type { SearchQuery } from '#contract/records/search.ts';

/** The filters in the order in which they are listed. Their names are those of GET /search and of the page's URL. */
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

/** Filter values as text; a filter that is not set is absent. */
export type SearchFilters = Partial<Record<FilterName, string>>;

/** Reads the filters from a URL's parameters and ignores all others. */
export function parseFilters(params: URLSearchParams): SearchFilters {
  const filters: SearchFilters = {};
  for (const name of FILTERS) {
    const value = params.getAll(name).join(',').trim();
    if (value !== '') filters[name] = value;
  }
  return filters;
}

/** Splits a comma-separated list and drops empty parts. */
export const splitList = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
