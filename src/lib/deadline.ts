import { fromWallTime, toWallTime } from '#contract/rules/working-time.ts';
import { MONTHS } from '#contract/text.ts';
import { getDeviceZone } from './device-zone.ts';

/** Texts about a moment in a time zone. Times are in milliseconds since 1970; zones are IANA names, that of the device by default. */

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** 'Thu 19 Nov, 18:00'; with the year if it is another one than now. */
export function momentText(at: number, now: number, timeZone = getDeviceZone()): string {
  const wall = new Date(toWallTime(timeZone, at));
  const days = Math.floor(wall.getTime() / DAY_MS) - Math.floor(toWallTime(timeZone, now) / DAY_MS);
  const clock = `${wall.getUTCHours()}:${String(wall.getUTCMinutes()).padStart(2, '0')}`;
  if (days === 0) return `Today, ${clock}`;
  if (days === 1) return `Tomorrow, ${clock}`;
  if (days === -1) return `Yesterday, ${clock}`;
  const isOtherYear = wall.getUTCFullYear() !== new Date(toWallTime(timeZone, now)).getUTCFullYear();
  const day = `${WEEKDAYS[wall.getUTCDay()]} ${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()]}`;
  return `${day}${isOtherYear ? ` ${wall.getUTCFullYear()}` : ''}, ${clock}`;
}

/** Inside of a sentence, today and tomorrow are no names: 'Today, 18:00' → 'today, 18:00'. */
export const lowerFirst = (text: string): string =>
  text.replace(/^(Today|Tomorrow|Yesterday)/, (word) => word.toLowerCase());

/** The city of a zone: 'Asia/Kolkata' → 'Kolkata'. */
export const zoneText = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');

/** Whether a clock in the other zone shows another time at that moment. */
export const isOtherTime = (at: number, timeZone: string): boolean =>
  toWallTime(timeZone, at) !== toWallTime(getDeviceZone(), at);

/** In which zone a deadline counts, and when that is here: 'In Kolkata. Where you are: Fri 4 Dec, 4:00'. @param at null while there is none */
export const zoneHint = (at: number | null, timeZone: string, now: number): string =>
  at !== null && isOtherTime(at, timeZone)
    ? `In ${zoneText(timeZone)}. Where you are: ${momentText(at, now)}`
    : `In ${zoneText(timeZone)}`;

const some = (amount: number, unit: string) => `${amount} ${unit}${amount === 1 ? '' : 's'}`;

/** '2 days', '4 h 20 min', '12 min': rounded down, so that nobody is promised time that is not there. */
export function spanText(ms: number): string {
  if (ms >= 2 * DAY_MS) return some(Math.floor(ms / DAY_MS), 'day');
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  const hours = Math.floor(ms / HOUR_MS);
  if (hours === 0) return `${minutes} min`;
  return minutes === 0 || hours >= 24 ? `${hours} h` : `${hours} h ${minutes} min`;
}

/** Whether a deadline is less than two days away. */
export const isDueSoon = (at: number, now: number): boolean => at > now && at - now < 2 * DAY_MS;

/** '4 h 20 min left', 'Passed 3 h ago'. */
export const timeLeftText = (at: number, now: number): string =>
  at > now ? `${spanText(at - now)} left` : `Passed ${spanText(now - at)} ago`;

/** The value of an input of type `datetime-local` for a moment in a time zone: '2026-11-19T18:00'. */
export const toLocalInput = (at: number, timeZone: string): string =>
  new Date(toWallTime(timeZone, at)).toISOString().slice(0, 16);

/** The moment that such a value means in a time zone; null if it is none. */
export function fromLocalInput(value: string, timeZone: string): number | null {
  const wall = Date.parse(`${value}Z`);
  return /^\d{4,6}-\d\d-\d\dT\d\d:\d\d/.test(value) && !Number.isNaN(wall) ? fromWallTime(timeZone, wall) : null;
}
