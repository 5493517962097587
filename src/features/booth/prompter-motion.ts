/** How the text of the prompter moves. */

/** Lines per minute of the slowest speed, and what each step adds: from a slow read to fast dialogue. */
const SLOWEST = 8;
const STEP = 5;

/** Pixels per second. */
export const getScrollSpeed = (speed: number, linePx: number): number => ((SLOWEST + (speed - 1) * STEP) * linePx) / 60;

/** Where the text stands after `seconds`; by whole lines for people who want less motion. */
export function getScrollTop(from: number, seconds: number, speedPx: number, linePx: number, byLine: boolean): number {
  const moved = seconds * speedPx;
  return from + (byLine ? Math.floor(moved / linePx) * linePx : moved);
}

/** Splits a text into paragraphs, in the way that scripts are typed: one line per speech. */
export const toParagraphs = (script: string): string[] =>
  script
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
