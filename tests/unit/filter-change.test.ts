import { expect, test } from 'vitest';
import { applyChange } from '#features/search/use-filters.ts';

const after = (query: string, change: Parameters<typeof applyChange>[1]) =>
  applyChange(new URLSearchParams(query), change).toString();

test('a skill that is emptied takes its level along', () => {
  expect(after('q=meera&skill=kathak&level=2', { skill: '' })).toBe('q=meera');
});

test('another skill keeps the level', () => {
  expect(after('skill=kathak&level=2', { skill: 'mime' })).toBe('skill=mime&level=2');
});

test('a change of another filter keeps skill and level', () => {
  expect(after('skill=kathak&level=2', { reel: '1' })).toBe('skill=kathak&level=2&reel=1');
});
