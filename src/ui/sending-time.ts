import { roughly } from '#lib/dates.ts';

/** How fast this device sent its last file: bytes per second, and when, in ms since the epoch. */
const KEY = 'upload-speed';
/** A speed of another day was probably that of another network. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;
/** One megabit per second. */
const SLOW_BYTES_PER_SECOND = 125_000;

/** Remembers a measured speed on this device. */
export function rememberSpeed(bytesPerSecond: number, now: number): void {
  try {
    localStorage.setItem(KEY, `${Math.round(bytesPerSecond)} ${now}`);
  } catch {
    // A full device estimates instead.
  }
}

/** The speed of the last upload, if there was one in the last day. */
function recallSpeed(now: number): number | null {
  const [speed = NaN, at = NaN] = (localStorage.getItem(KEY) ?? '').split(' ').map(Number);
  return speed > 0 && Math.abs(now - at) < FORGOTTEN_AFTER_MS ? speed : null;
}

/** How long something will take to send: 'About 3 min at the speed of your last upload', or else at a speed that is named. */
export function formatSendingTime(bytes: number, now: number): string {
  const known = recallSpeed(now);
  const words = roughly(bytes / (known ?? SLOW_BYTES_PER_SECOND));
  const time = words.charAt(0).toUpperCase() + words.slice(1);
  return known === null ? `${time} to send at 1 Mbit/s` : `${time} to send at the speed of your last upload`;
}
