/** Converts waveform peaks to `bars` columns from 0 to 1; without peaks, all columns are equally low. */
export function toBars(peaks: readonly number[] | null, bars: number): number[] {
  if (!peaks || peaks.length === 0) return Array.from({ length: bars }, () => 0.12);
  return Array.from({ length: bars }, (_, at) => {
    const from = Math.floor((at * peaks.length) / bars);
    const to = Math.max(from + 1, Math.floor(((at + 1) * peaks.length) / bars));
    const loudest = Math.max(...peaks.slice(from, to));
    return Math.min(1, Math.max(0.06, loudest));
  });
}

const STEP_SECONDS = 5;
const PAGE_SECONDS = 10;

/** Returns the position in seconds to which a key press seeks; null for other keys. */
export function getSeekTarget(pressed: string, at: number, length: number): number | null {
  const to = {
    ArrowRight: at + STEP_SECONDS,
    ArrowUp: at + STEP_SECONDS,
    ArrowLeft: at - STEP_SECONDS,
    ArrowDown: at - STEP_SECONDS,
    PageUp: at + PAGE_SECONDS,
    PageDown: at - PAGE_SECONDS,
    Home: 0,
    End: length,
  }[pressed];
  return to === undefined ? null : Math.min(length, Math.max(0, to));
}
