/** Loudness of a recording as `bars` columns from 0 to 1; a quiet even line where nothing is known of it. */
export function toBars(peaks: readonly number[] | null, bars: number): number[] {
  if (!peaks || peaks.length === 0) return Array.from({ length: bars }, () => 0.12);
  return Array.from({ length: bars }, (_, at) => {
    const from = Math.floor((at * peaks.length) / bars);
    const to = Math.max(from + 1, Math.floor(((at + 1) * peaks.length) / bars));
    const loudest = Math.max(...peaks.slice(from, to));
    return Math.min(1, Math.max(0.06, loudest));
  });
}

const STEP_S = 5;
const PAGE_S = 10;

/** Where a key of the keyboard moves a recording to, in seconds; null for every other key. */
export function getSeekTarget(pressed: string, at: number, length: number): number | null {
  const to = {
    ArrowRight: at + STEP_S,
    ArrowUp: at + STEP_S,
    ArrowLeft: at - STEP_S,
    ArrowDown: at - STEP_S,
    PageUp: at + PAGE_S,
    PageDown: at - PAGE_S,
    Home: 0,
    End: length,
  }[pressed];
  return to === undefined ? null : Math.min(length, Math.max(0, to));
}
