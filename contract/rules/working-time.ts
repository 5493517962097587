/**
 * Counts the hours that somebody has until a deadline, without weekends and holidays. Days begin and end in the time zone of the request;
 * in between, real time counts, so a day on which the clocks change has 23 or 25 hours. `Intl` is enough for that, and costs no bytes.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What decides which days count. */
export interface WorkCalendar {
  /** IANA name, for example `Asia/Kolkata`. */
  timeZone: string;
  /** ISO weekdays that do not count: 1 is Monday, 7 is Sunday. */
  weekend: readonly number[];
  /** Days that do not count either, YYYY-MM-DD. */
  holidays: ReadonlySet<string>;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** @throws RangeError for an unknown time zone */
function getFormat(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** What a clock on the wall shows, as if it were UTC. Both times are in milliseconds since 1970. */
export function toWallTime(timeZone: string, at: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of getFormat(timeZone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000);
}

/**
 * When a clock on the wall shows this time. A time that is skipped in spring counts from before the change, so 02:30 becomes 03:30. Of a time that comes
 * twice in autumn, the first is meant.
 * @param wall as if it were UTC, in milliseconds
 */
export function fromWallTime(timeZone: string, wall: number): number {
  const offsetAt = (at: number) => toWallTime(timeZone, at) - at;
  // Zones change at most once in two days, so these are the offsets before and after the change.
  const before = offsetAt(wall - DAY_MS);
  const after = offsetAt(wall + DAY_MS);
  const early = wall - before;
  if (offsetAt(early) === before) return early;
  const late = wall - after;
  return offsetAt(late) === after ? late : early;
}

/** The day on which something happens there, as if it were midnight UTC. */
const toDay = (timeZone: string, at: number): number => Math.floor(toWallTime(timeZone, at) / DAY_MS) * DAY_MS;
const toDayText = (day: number): string => new Date(day).toISOString().slice(0, 10);
/** ISO weekday: Monday is 1. 1 January 1970 was a Thursday. */
const toWeekday = (day: number): number => ((((day / DAY_MS + 3) % 7) + 7) % 7) + 1;

function isWorkingDay({ weekend, holidays }: WorkCalendar, day: number): boolean {
  return !weekend.includes(toWeekday(day)) && !holidays.has(toDayText(day));
}

/** Weekends and holidays in a row end long before. A calendar in which no day counts would have no end. */
const MAX_DAYS = 400;

/** The stretches of time that count, from this moment on. */
function* listWorkingSpans(calendar: WorkCalendar, from: number): Generator<{ start: number; end: number }> {
  const { timeZone } = calendar;
  const first = toDay(timeZone, from);
  for (let day = first; day < first + MAX_DAYS * DAY_MS; day += DAY_MS) {
    if (!isWorkingDay(calendar, day)) continue;
    const start = Math.max(from, fromWallTime(timeZone, day));
    const end = fromWallTime(timeZone, day + DAY_MS);
    // A day that a zone left out altogether, as Samoa did in 2011, has no length.
    if (end > start) yield { start, end };
  }
}

/** The earliest deadline that leaves so many hours. @throws RangeError if the calendar has no working days */
export function findEarliestDeadline(calendar: WorkCalendar, askedAt: number, hours: number): number {
  let missingMs = hours * HOUR_MS;
  if (missingMs <= 0) return askedAt;
  for (const { start, end } of listWorkingSpans(calendar, askedAt)) {
    if (end - start >= missingMs) return start + missingMs;
    missingMs -= end - start;
  }
  throw new RangeError(`No working days within ${MAX_DAYS} days`);
}

/** How many hours count between two moments. */
export function countWorkingHours(calendar: WorkCalendar, from: number, to: number): number {
  let totalMs = 0;
  for (const { start, end } of listWorkingSpans(calendar, from)) {
    if (start >= to) break;
    totalMs += Math.min(end, to) - start;
  }
  return totalMs / HOUR_MS;
}
