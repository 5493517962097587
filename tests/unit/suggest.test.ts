import { describe, expect, it } from 'vitest';
import { rankByUse, suggest } from '#lib/suggest.ts';

describe('suggestions', () => {
  it('offers each city once, the most used first, in its most frequent spelling', () => {
    const cities = ['pune', 'Mumbai', 'Pune', ' Pune ', 'Nagpur', 'Mumbai', 'Puné', '', '   '];
    expect(rankByUse(cities)).toEqual(['Pune', 'Mumbai', 'Nagpur']);
  });

  it('puts equals in the order of the alphabet', () => {
    expect(rankByUse(['Thane', 'Kochi', 'Agra'])).toEqual(['Agra', 'Kochi', 'Thane']);
  });

  it('offers what begins with the words first, then what has a word that does', () => {
    const known = ['Navi Mumbai', 'Mumbai', 'Mumbra', 'Pune'];
    expect(suggest(known, 'mum')).toEqual(['Mumbai', 'Mumbra', 'Navi Mumbai']);
  });

  it('finds a city whatever the case, marks and spaces', () => {
    expect(suggest(['São Paulo', 'Chéri'], 'SAO  p')).toEqual(['São Paulo']);
    expect(suggest(['Chéri'], 'cher')).toEqual(['Chéri']);
  });

  it('keeps the vowels of Indian scripts apart: they are marks, but no accents', () => {
    expect(suggest(['पुणे', 'पाणी'], 'पु')).toEqual(['पुणे']);
    expect(rankByUse(['कला', 'कली'])).toHaveLength(2);
  });

  it('does not offer what stands there already', () => {
    expect(suggest(['Pune', 'Puner'], 'pune ')).toEqual(['Puner']);
  });

  it('offers the first few for an empty field', () => {
    expect(suggest(['A', 'B', 'C'], '', 2)).toEqual(['A', 'B']);
  });
});
