import { expect, test } from 'vitest';
import { checkExtraHolidays, readExtraHolidays } from '#contract/casting/extra-holidays.ts';
import { toRequestTerms } from '#contract/casting/terms.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, index) => new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10));

test.each([
  ['', []],
  [null, []],
  ['2027-01-14', ['2027-01-14']],
  ['2027-01-14, 2027-01-15', ['2027-01-14', '2027-01-15']],
  [' 2027-01-14\n2027-01-15;2028-02-29 ', ['2027-01-14', '2027-01-15', '2028-02-29']],
])('reads %j as days', (text, expected) => {
  expect(readExtraHolidays(text)).toEqual(expected);
  expect(checkExtraHolidays(text)).toBe(null);
});

test.each(['14.1.2027', '2027-02-30', '2027-02-29', '2027-1-4', 'Diwali', '2027-01-14 to 2027-01-16', '+012027-01-01'])(
  'refuses %s and names what is no day',
  (text) => {
    const wrong = text === '2027-01-14 to 2027-01-16' ? 'to' : text;
    expect(checkExtraHolidays(text)).toContain(`“${wrong}” is no day`);
  },
);

test('takes up to 40 days', () => {
  expect(checkExtraHolidays(days(40).join(', '))).toBe(null);
  expect(checkExtraHolidays(days(41).join(', '))).toBe('Name up to 40 days');
});

test('are part of what the rules look at', () => {
  const asked = { round: 'first' as const, memorize: false, deadline_at: '2027-01-20T10:00:00.000Z' };
  const notices = { nudity: null, intimacy: null, stunts: null, minors: null, other: null };
  const project = { time_zone: 'Asia/Kolkata', region: 'IN', extra_holidays: '2027-01-14' };
  const circumstances = { notices, project, askedAt: 0, isPerformerMinor: false };
  expect(toRequestTerms(asked, circumstances).extraHolidays).toEqual(['2027-01-14']);
  const before = { ...circumstances, project: { time_zone: 'Asia/Kolkata', region: 'IN' } };
  expect(toRequestTerms(asked, before).extraHolidays).toEqual([]);
});
