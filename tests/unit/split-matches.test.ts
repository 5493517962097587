import { expect, test } from 'vitest';
import { splitMatches } from '#features/search/split-matches.ts';

const mark = (name: string, query: string) =>
  splitMatches(name, query)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join('');

test.each([
  ['Meera Kulkarni', 'mee kul', '[Mee]ra [Kul]karni'],
  ['Élodie', 'elo', '[Élo]die'],
  ['E\u0301lodie', 'elo', '[E\u0301lodie]'],
  ['Анна', 'ан', '[Анна]'],
  ['मीरा कुलकर्णी', 'm', '[मीरा] कुलकर्णी'],
  ['தமிழ்', 'ta', '[தமிழ்]'],
  ['Arjun', 'mee', 'Arjun'],
])('the matches in %j for %j are %j', (name, query, marked) => {
  expect(mark(name, query)).toBe(marked);
});
