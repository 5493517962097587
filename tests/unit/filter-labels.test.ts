import { expect, test } from 'vitest';
import type { SearchFilters } from '#lib/search-filters.ts';
import { getActiveFilters } from '#features/search/filter-labels.ts';

const NONE = { language: [], type: [], industry: [], accent: [], voice_language: [] };
const labels = (filters: SearchFilters) => getActiveFilters(filters, NONE).map(({ label }) => label);

test.each([
  [{ min_height: '170' }, 'Height from 170 cm'],
  [{ max_height: '180' }, 'Height up to 180 cm'],
  [{ min_height: '170', max_height: '180' }, 'Height 170 to 180 cm'],
  [{ min_height: '170', max_height: '170' }, 'Height 170 cm'],
  [{ min_age: '30' }, 'Plays 30 and older'],
  [{ max_age: '40' }, 'Plays up to 40'],
])('says what %j looks for', (filters, label) => {
  expect(labels(filters)).toEqual([label]);
});
