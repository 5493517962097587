import { describe, expect, test } from 'vitest';
import { ACCENTS, DEFAULT_CHOICES, movePart, parseChoices, PARTS } from '#features/cv/choices.ts';
import { toFileName } from '#features/cv/file-name.ts';

describe('stored choices for a CV', () => {
  test('are read as they were written', () => {
    const choices = {
      ...DEFAULT_CHOICES,
      audience: 'public',
      layout: 'two',
      leftOut: ['links', 'portrait'],
      dayRate: true,
    };
    expect(parseChoices(JSON.parse(JSON.stringify(choices)))).toEqual(choices);
  });

  test('fall back to the default where another version of the app wrote something else', () => {
    const strange = {
      audience: 'everyone',
      layout: 'one',
      accent: 7,
      order: ['skills', 'shows', 'skills'],
      leftOut: ['x', 'city'],
    };
    expect(parseChoices(strange)).toEqual({
      ...DEFAULT_CHOICES,
      order: ['skills', ...PARTS.filter((key) => key !== 'skills')],
      leftOut: ['city'],
    });
    expect(parseChoices('nothing')).toEqual(DEFAULT_CHOICES);
  });
});

describe('the order of the parts', () => {
  test('changes by one place, and stays at its ends', () => {
    expect(movePart(['credits', 'skills', 'links'], 'links', -1)).toEqual(['credits', 'links', 'skills']);
    expect(movePart(['credits', 'skills', 'links'], 'credits', 1)).toEqual(['skills', 'credits', 'links']);
    expect(movePart(['credits', 'skills', 'links'], 'credits', -1)).toEqual(['credits', 'skills', 'links']);
    expect(movePart(['credits', 'skills', 'links'], 'links', 1)).toEqual(['credits', 'skills', 'links']);
  });
});

describe('the colors', () => {
  /** Source: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio. */
  function contrastOnWhite(color: string): number {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
      const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
  }

  test.each(Object.entries(ACCENTS))('can be read on paper: %s', (_, color) => {
    expect(contrastOnWhite(color)).toBeGreaterThanOrEqual(7);
  });
});

describe('the name of the file', () => {
  test('has nothing that a file system refuses', () => {
    expect(toFileName('Meera Kulkarni')).toBe('Meera Kulkarni CV.pdf');
    expect(toFileName(' A/B: "C"\n<D> ')).toBe('A B C D CV.pdf');
    expect(toFileName('मीरा')).toBe('मीरा CV.pdf');
    expect(toFileName('')).toBe('CV.pdf');
  });
});
