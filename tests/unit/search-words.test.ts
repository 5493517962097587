import { describe, expect, test } from 'vitest';
import { isTypo, normalizeText, toPhoneticKey, toWords } from '#contract/search-words.ts';

describe('words of a text', () => {
  test.each([
    ['Meera  KULKARNI', ['meera', 'kulkarni']],
    ['Chowk No. 7', ['chowk', 'no', '7']],
    ['Élodie Gänsheimer', ['elodie', 'gansheimer']],
    ['a child’s voice', ['a', 'childs', 'voice']],
    ['Actor/Performer, Mumbai', ['actor', 'performer', 'mumbai']],
    ['मीरा कुलकर्णी', ['mira', 'kulakarni']],
    ['ज़ोया', ['joya']],
    ['தமிழ்', ['tamil']],
    ['తెలుగు', ['telugu']],
    ['ਪੰਜਾਬੀ ੨', ['panjabi', '2']],
    ['Анна', ['анна']],
    ['  … ', []],
    ['x'.repeat(90), ['x'.repeat(40)]],
  ])('%s', (text, words) => {
    expect(toWords(text)).toEqual(words);
  });

  test('folds case and accents in composed and decomposed form', () => {
    expect(normalizeText('E\u0301lodie')).toBe(normalizeText('Élodie'));
  });
});

test.each([
  ['meera', 'mira'],
  ['pooja', 'puja'],
  ['deepak', 'dipak'],
  ['lakshmi', 'laxmi'],
  ['kulkarni', 'kulakarni'],
  ['sheikh', 'shaikh'],
  ['zoya', 'joya'],
  ['vikram', 'wikram'],
  ['nair', 'nayar'],
])('%s sounds like %s', (one, other) => {
  expect(toPhoneticKey(one)).toBe(toPhoneticKey(other));
});

test.each([
  ['meera', 'tara'],
  ['arjun', 'arun'],
  ['rohit', 'rohan'],
  ['og', 'ok'],
])('%s does not sound like %s', (one, other) => {
  expect(toPhoneticKey(one)).not.toBe(toPhoneticKey(other));
});

test.each([
  ['mumbay', 'mumbai', true],
  ['kathk', 'kathak', true],
  ['kulkarnee', 'kulkarni', true],
  ['arjnu', 'arjun', true],
  ['meera', 'meena', true],
  ['mera', 'meena', false],
  ['pune', 'puni', true],
  ['ram', 'rom', false],
  ['theatre', 'theater', true],
  ['hindi', 'marathi', false],
  ['kathak', 'kathakali', false],
])('%s is a typo of %s: %s', (typed, word, isOne) => {
  expect(isTypo(typed, word)).toBe(isOne);
});
