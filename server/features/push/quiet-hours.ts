import type { PushSettings } from '#contract/records/push.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

const toMinutes = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

/** Minutes since midnight by the clock of a time zone. An unknown zone counts as UTC. */
function getLocalMinutes(at: Date, timeZone: string | null): number {
  const format = (zone: string) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(
      at,
    );
  try {
    return toMinutes(format(timeZone ?? 'UTC'));
  } catch {
    return toMinutes(format('UTC'));
  }
}

/** Returns when the quiet hours end that this moment is in; null outside of them. */
export function findQuietEnd(now: Date, quiet: PushSettings['quiet'], timeZone: string | null): Date | null {
  if (quiet === null) return null;
  const local = getLocalMinutes(now, timeZone);
  const [from, to] = [toMinutes(quiet.from), toMinutes(quiet.to)];
  const isQuiet = from < to ? local >= from && local < to : local >= from || local < to;
  if (!isQuiet) return null;
  const left = (to - local + DAY_MINUTES) % DAY_MINUTES;
  const startOfMinute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const end = new Date(startOfMinute + left * MINUTE_MS);
  // The clock may change between now and then, by at most some hours.
  const half = DAY_MINUTES / 2;
  const drift = ((getLocalMinutes(end, timeZone) - to + half + DAY_MINUTES) % DAY_MINUTES) - half;
  const corrected = new Date(end.getTime() - drift * MINUTE_MS);
  return corrected > now ? corrected : end;
}
