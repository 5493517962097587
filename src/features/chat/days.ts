import { clockText, dayText } from '#lib/dates.ts';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const;
const DAY_MS = 86_400_000;

const toMidnight = (ms: number) => new Date(ms).setHours(0, 0, 0, 0);
/** Counts the calendar days between two times, in the device's time zone. */
const countDays = (then: number, now: number) => Math.round((toMidnight(now) - toMidnight(then)) / DAY_MS);

export const isSameDay = (a: string, b: string): boolean => toMidnight(Date.parse(a)) === toMidnight(Date.parse(b));

/** Formats the heading of a day in a conversation: 'Today', 'Yesterday', 'Tuesday', '14 Aug 2026'. */
export function formatDay(at: string, nowMs: number): string {
  const then = Date.parse(at);
  const days = countDays(then, nowMs);
  if (days === 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days > 1 && days < 7) return WEEKDAYS[new Date(then).getDay()]!;
  return dayText(at);
}

/** Formats a time for a list: '9:42' today, 'Tue' within the week, then '12 Nov', or '12 Nov 2025' if the year differs. */
export function formatShortTime(atMs: number, nowMs: number): string {
  const days = countDays(atMs, nowMs);
  if (days <= 0) return clockText(atMs);
  if (days < 7) return WEEKDAYS[new Date(atMs).getDay()]!.slice(0, 3);
  const text = dayText(new Date(atMs).toISOString());
  const year = ` ${new Date(nowMs).getFullYear()}`;
  return text.endsWith(year) ? text.slice(0, -year.length) : text;
}
