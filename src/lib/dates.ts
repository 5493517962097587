import { MONTHS } from '#contract/text.ts';

/**
 * '14 Aug 2026' for a calendar day (YYYY-MM-DD) or a time (ISO 8601, shown in the device's time zone). '' for an
 * invalid date.
 */
export function dayText(value: string): string {
  const day = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (day) return `${Number(day[3])} ${MONTHS[Number(day[2]) - 1] ?? ''} ${day[1]}`;
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return '';
  return `${time.getDate()} ${MONTHS[time.getMonth()]} ${time.getFullYear()}`;
}

/** '9:41', in the device's time zone. */
export function clockText(atMs: number): string {
  const time = new Date(atMs);
  return `${time.getHours()}:${String(time.getMinutes()).padStart(2, '0')}`;
}

const STEPS = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** '3 days ago'; 'Just now' for less than a second and for times ahead of this device's clock. */
export function agoText(atMs: number, nowMs: number): string {
  const seconds = Math.floor((nowMs - atMs) / 1000);
  for (const [unit, size] of STEPS) {
    const n = Math.floor(seconds / size);
    if (n >= 1) return `${n} ${unit}${n === 1 ? '' : 's'} ago`;
  }
  return 'Just now';
}

/** 'about 4 min left', 'a few seconds left': for uploads. */
export function leftText(seconds: number): string {
  return Number.isFinite(seconds) ? `${roughly(seconds)} left` : '';
}

/** 'about 4 min', 'a few seconds'. */
export function roughly(seconds: number): string {
  if (seconds < 10) return 'a few seconds';
  if (seconds < 60) return `about ${Math.round(seconds / 10) * 10} s`;
  if (seconds < 3600) return `about ${Math.round(seconds / 60)} min`;
  return `about ${Math.round(seconds / 3600)} h`;
}

/** '2:14', '1:02:03'. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (part: number) => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
