import { addDays } from '#contract/casting/availability.ts';
import { MONTHS } from '#contract/text.ts';

/** Months ('2027-01') and days ('2027-01-18') of a calendar. Weeks begin on Monday. */

export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

export const getMonth = (date: string): string => date.slice(0, 7);

/** 0 for Monday to 6 for Sunday. */
export const getWeekday = (date: string): number => (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;

export function addMonths(month: string, count: number): string {
  const [year, at] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, at - 1 + count, 1)).toISOString().slice(0, 7);
}

/** The same day so many months later, or the last one of a shorter month. */
export function addMonthsToDay(date: string, count: number): string {
  const month = addMonths(getMonth(date), count);
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const same = `${month}${date.slice(7)}`;
  return same < last ? same : last;
}

/** The weeks of a month; null where a day belongs to another month. */
export function getWeeks(month: string): (string | null)[][] {
  const first = `${month}-01`;
  const weeks: (string | null)[][] = [];
  for (let monday = addDays(first, -getWeekday(first)); getMonth(monday) <= month; monday = addDays(monday, 7)) {
    const week = WEEKDAYS.map((_name, n) => addDays(monday, n));
    weeks.push(week.map((date) => (getMonth(date) === month ? date : null)));
  }
  return weeks;
}

const LONG_MONTH = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** 'January 2027' */
export const monthText = (month: string): string => LONG_MONTH.format(new Date(`${month}-01T00:00:00Z`));

/** 'Mon 18 Jan', with the year if it is another one than this. */
export function weekdayText(date: string, thisYear: string): string {
  const [year = '', month, day] = date.split('-');
  const text = `${WEEKDAYS[getWeekday(date)]} ${Number(day)} ${MONTHS[Number(month) - 1]}`;
  return year === thisYear ? text : `${text} ${year}`;
}

/** 'Mon 18 Jan to Thu 21 Jan' */
export const rangeText = (from: string, to: string, thisYear: string): string =>
  from === to ? weekdayText(from, thisYear) : `${weekdayText(from, thisYear)} to ${weekdayText(to, thisYear)}`;

/** Joins days that follow each other. @param dates in order */
export function toRanges(dates: readonly string[]): { from: string; to: string }[] {
  const ranges: { from: string; to: string }[] = [];
  for (const date of dates) {
    const last = ranges.at(-1);
    if (last && addDays(last.to, 1) === date) last.to = date;
    else ranges.push({ from: date, to: date });
  }
  return ranges;
}

/** 'Mon 18 Jan to Thu 21 Jan, Mon 25 Jan' @param dates in order */
export const rangesText = (dates: readonly string[], thisYear: string): string =>
  toRanges(dates)
    .map(({ from, to }) => rangeText(from, to, thisYear))
    .join(', ');

/** '4, 18 to 21' @param dates of one month, in order */
export const daysOfMonthText = (dates: readonly string[]): string =>
  toRanges(dates)
    .map(({ from, to }) => [...new Set([from, to])].map((date) => Number(date.slice(8))).join(' to '))
    .join(', ');

/** Today in the time zone of this device. @param now ms since 1970 */
export function toDay(now: number): string {
  const time = new Date(now);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
