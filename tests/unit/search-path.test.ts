import { expect, test } from 'vitest';
import { getSearchPath } from '#features/casting/search-path.ts';

const ROLE = { age_min: null, age_max: null, skills: null, location: null };

test.each([
  ['Mumbai, India', '/search?location=Mumbai'],
  [' Pune ', '/search?location=Pune'],
  [', India', '/search?'],
])('a search for a role in %j looks for its first part only', (location, path) => {
  expect(getSearchPath({ ...ROLE, location })).toBe(path);
});
