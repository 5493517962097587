import { expect, test } from 'vitest';
import { getChoiceTexts, versionText } from '#features/availability/day-looks.ts';

const held = { state: 'held', note: 'The Salt Road', expires_at: null } as const;

test('the choice between two versions of a day names their states', () => {
  expect(getChoiceTexts(held, { state: null, note: null })).toEqual({ keep: 'Keep held', use: 'Use not stated' });
});

test('the choice between two ends of one state does not offer the same word twice', () => {
  const later = { ...held, expires_at: '2027-01-12T12:00:00.000Z' };
  expect(getChoiceTexts(held, later)).toEqual({ keep: 'Keep this', use: 'Use the other' });
});

test('a version of a day is told with its end as everywhere in the app', () => {
  const expires_at = new Date(new Date().setHours(21, 5, 0, 0)).toISOString();
  expect(versionText({ ...held, expires_at })).toBe('Held until today, 21:05, “The Salt Road”');
});
