/** What is known about the moment at which a tape was finished. All times in milliseconds since 1970. */
export interface FinishClaim {
  /** When the tape was finished, by the device's clock. */
  finishedDevice: number;
  /** What had to be added to the device's clock when it last heard from the server, and how long before that was; null if never. */
  offset: number | null;
  offsetAge: number | null;
  /** When the tape is announced, by the device's clock; null if it did not say. */
  sentDevice: number | null;
  /** The server's clock now, and when it accepted the request. */
  now: number;
  askedAt: number;
}

const TOLERANCE_MS = 2 * 60_000;
const MAX_OFFSET_AGE_MS = 24 * 3_600_000;

/**
 * Computes when a tape was finished. Two ways lead there: by what the device's clock was off when it last heard from the server, and by what it is off
 * now. If they agree, the clock was not touched in between. If not, the later one counts, as nothing may be gained by turning a clock back.
 * Turning it back and forth again while the app is closed stays possible; so screens say "by the phone's clock" and promise no more.
 */
export function computeFinished(claim: FinishClaim): { at: number; by: 'checked' | 'phone clock' } {
  const { finishedDevice, offset, offsetAge, sentDevice, now, askedAt } = claim;
  const byOffset = offset === null ? null : finishedDevice + offset;
  const byNow = sentDevice === null ? null : finishedDevice + (now - sentDevice);
  const bounded = (at: number) => Math.min(now, Math.max(askedAt, at));
  const isChecked =
    byOffset !== null &&
    byNow !== null &&
    Math.abs(byOffset - byNow) <= TOLERANCE_MS &&
    (offsetAge ?? Infinity) <= MAX_OFFSET_AGE_MS &&
    byNow <= now + TOLERANCE_MS;
  if (isChecked) return { at: bounded(byNow), by: 'checked' };
  // A device that says nothing of its clock gets the time of its arrival.
  const latest = Math.max(byOffset ?? -Infinity, byNow ?? -Infinity);
  return { at: bounded(latest === -Infinity ? now : latest), by: 'phone clock' };
}
