import { describe, expect, test } from 'vitest';
import {
  addMonths,
  addMonthsToDay,
  daysOfMonthText,
  getWeekday,
  getWeeks,
  monthText,
  rangesText,
  rangeText,
  toDay,
} from '#lib/calendar-month.ts';
import { roleFacts } from '#shared/casting/role-text.ts';

describe('a calendar', () => {
  test('counts months over the years and keeps the day where the month has it', () => {
    expect([addMonths('2026-12', 1), addMonths('2027-01', -1), addMonths('2027-01', 14)]).toEqual([
      '2027-01',
      '2026-12',
      '2028-03',
    ]);
    expect([
      addMonthsToDay('2027-01-31', 1),
      addMonthsToDay('2028-01-31', 1),
      addMonthsToDay('2027-03-15', -1),
    ]).toEqual(['2027-02-28', '2028-02-29', '2027-02-15']);
  });

  test('begins weeks on Monday, with gaps where other months are', () => {
    expect([getWeekday('2027-01-18'), getWeekday('2027-01-24')]).toEqual([0, 6]);
    const weeks = getWeeks('2027-01');
    expect(weeks[0]).toEqual([null, null, null, null, '2027-01-01', '2027-01-02', '2027-01-03']);
    expect(weeks).toHaveLength(5);
    expect(weeks.flat().filter(Boolean)).toHaveLength(31);
    expect(getWeeks('2027-02')).toHaveLength(4);
  });

  test('takes today from the clock of the device', () => {
    expect(toDay(new Date(2027, 0, 18, 0, 5).getTime())).toBe('2027-01-18');
    expect(toDay(new Date(2027, 0, 18, 23, 55).getTime())).toBe('2027-01-18');
  });
});

describe('days in words', () => {
  test('have the weekday, and the year where it is another', () => {
    expect(monthText('2027-01')).toBe('January 2027');
    expect(rangeText('2027-01-18', '2027-01-18', '2027')).toBe('Mon 18 Jan');
    expect(rangeText('2026-12-31', '2027-01-01', '2026')).toBe('Thu 31 Dec to Fri 1 Jan 2027');
  });

  test('join those that follow each other', () => {
    const days = ['2027-01-04', '2027-01-18', '2027-01-19', '2027-01-20'];
    expect(rangesText(days, '2027')).toBe('Mon 4 Jan, Mon 18 Jan to Wed 20 Jan');
    expect(daysOfMonthText(days)).toBe('4, 18 to 20');
    expect(daysOfMonthText([])).toBe('');
  });

  test('of a shoot are those of the request, or else those of the project', () => {
    const project = { shoot_from: '2027-01-11', shoot_to: '2027-02-06' };
    const shoots = (dates?: string[]) => roleFacts({}, project, dates).find(({ label }) => label === 'Shoots')?.words;
    expect(shoots()).toBe('11 Jan 2027 to 6 Feb 2027');
    expect(shoots(['2027-01-20', '2027-01-12', '2027-01-11'])).toBe('11 Jan 2027 to 12 Jan 2027, 20 Jan 2027');
  });
});
