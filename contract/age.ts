/** From this age on, people decide for themselves who sees them. */
export const ADULT_AGE = 18;

/**
 * Whether somebody born on this day is younger than this many years. The day changes at midnight UTC everywhere, so that a clock or a time
 * zone of a device decides nothing. Who is born on 29 February comes of age on 1 March.
 * @param bornOn YYYY-MM-DD
 */
export function isYounger(bornOn: string, years: number, now: Date): boolean {
  const today = now.toISOString().slice(0, 10);
  const latest = `${String(Number(today.slice(0, 4)) - years).padStart(4, '0')}${today.slice(4)}`;
  return bornOn > latest;
}

/**
 * Whether the desk has to check a correction first: one that makes somebody older who is under 18. Not only one beyond the 18th birthday,
 * which many small steps would reach too. Dates are YYYY-MM-DD.
 * @param before the date that the person gave; null if they gave none
 */
export const needsAgeCheck = (before: string | null, bornOn: string, now: Date): boolean =>
  before !== null && bornOn < before && isYounger(before, ADULT_AGE, now);
