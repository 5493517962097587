import { describe, expect, test } from 'vitest';
import { computeSkeleton, isLookalike } from '#server/platform/names/skeleton.ts';

const OFFICE = 'Mukesh Casting Bureau';
const looksLike = (name: string, known = OFFICE) => isLookalike(computeSkeleton(name), computeSkeleton(known));

describe('a name looks like another', () => {
  test.each([
    ['with Cyrillic letters', 'Mukеsh Cаsting Burеau'],
    ['with Cyrillic capitals', 'МUKESH САSTING ВUREAU'],
    ['with Greek letters', 'Mυkesh Casτing Burεau'],
    ['with Greek capitals', 'ΜUΚESH CΑSTΙNG BUREAU'],
    ['with wide letters', 'Ｍｕｋｅｓｈ　Ｃａｓｔｉｎｇ　Ｂｕｒｅａｕ'],
    ['with accents', 'Mükésh Cästing Bureaū'],
    ['with other spaces and signs', 'MUKESH-casting_bureau.'],
    ['with one letter more', 'Mukesh Castings Bureau'],
    ['with one letter less', 'Mukesh Castin Bureau'],
    ['with another letter', 'Mukesh Casting Buraau'],
    ['with a digit for a letter', 'Mukesh Ca5ting Bureau'],
  ])('%s', (_, name) => expect(looksLike(name)).toBe(true));

  test.each([
    ['0 and o', 'R00m Casting', 'Room Casting'],
    ['1 and l', 'Ko1kata Cast', 'Kolkata Cast'],
    ['1 and capital I', '1la Films', 'Ila Films'],
    ['capital I and l', 'KoIkata Cast', 'Kolkata Cast'],
    ['rn and m', 'Bharnra', 'Bhamra'],
    ['vv and w', 'Vvest End', 'West End'],
  ])('with %s', (_, name, known) => expect(looksLike(name, known)).toBe(true));
});

test.each([
  ['another office', 'Shruti Casting Bureau', OFFICE],
  ['two letters apart', 'Mukesha Castings Bureau', OFFICE],
  ['a short name one letter apart', 'Rita', 'Gita'],
  ['a part of it', 'Mukesh', OFFICE],
  ['other vowels of an Indic script', 'मीरा', 'मारा'],
])('a name does not look like %s', (_, name, known) => expect(looksLike(name, known)).toBe(false));

test('a name of signs alone has a skeleton of its own', () => {
  expect(computeSkeleton('…')).toBe('');
  expect(isLookalike('', computeSkeleton(OFFICE))).toBe(false);
});
