import { describe, expect, test } from 'vitest';
import { readCvFonts, unpackWoff } from '../../../scripts/bundle/cv-fonts.ts';
import { toLineText, toRuns } from '#features/cv/pdf/runs.ts';
import { fonts } from './support/cv.ts';

describe('the fonts of the CV', () => {
  test('are TrueType, and cover the letters of the languages that people work in', () => {
    for (const bytes of readCvFonts().values()) expect(new DataView(bytes).getUint32(0)).toBe(0x00010000);
    const text = 'Łódź, Đặng, Şahin, “Ωmega”, Горький, ₹18,000, ज़िंदगी – ट्रॅक्टर·';
    for (const weight of ['regular', 'bold'] as const) {
      expect(toRuns(text, weight, fonts).filter(({ face }) => face === null)).toEqual([]);
    }
  });

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a page', Buffer.from(`<!doctype html>${' '.repeat(60)}`)],
  ])('are not read from %s', (_, bytes) => {
    expect(() => unpackWoff(bytes)).toThrow('This is no font in WOFF 1.0');
  });
});

describe('the runs of a text', () => {
  const runsOf = (text: string) => toRuns(text, 'regular', fonts).map((run) => [run.face, run.text]);

  test('keep spaces and signs with the letters before them where their font has them', () => {
    expect(runsOf('Ira (इरा कुलकर्णी), lead')).toEqual([
      ['latin regular', 'Ira ('],
      ['devanagari regular', 'इरा कुलकर्णी'],
      ['latin regular', '), lead'],
    ]);
  });

  test('keep joiners and marks with their letter', () => {
    expect(runsOf('क्\u200dष')).toEqual([['devanagari regular', 'क्\u200dष']]);
  });

  test('keep the words of a script that no font has together', () => {
    expect(runsOf('محمد علي x')).toEqual([
      [null, 'محمد علي '],
      ['latin regular', 'x'],
    ]);
  });

  test.each(['יעל בן-דוד', "ז'ורז'י", 'حلقة 2 من', 'د. علي'])(
    'keep what stands inside such words with them: %s',
    (name) => {
      expect(runsOf(name)).toEqual([[null, name]]);
    },
  );

  test('leave what follows such words to the fonts', () => {
    expect(runsOf('علي, +91 98 (lead)')).toEqual([
      [null, 'علي'],
      ['latin regular', ', +91 98 (lead)'],
    ]);
  });

  test('have no characters that nothing can draw', () => {
    expect(toLineText(' A\u0007B\n\tC\u202e\u200b D ')).toBe('AB C D');
  });
});
