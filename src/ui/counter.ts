import { codePoints } from '#lib/text.ts';

/** With at most this many characters left, the counter shows how many are left. */
export const NEAR_END = 20;

/** The text below a field with a limit: '12 of 500', '7 left', '3 over the limit'. Counts code points. */
export function counterText(used: number, limit: number): string {
  if (used > limit) return `${used - limit} over the limit`;
  if (used === limit) return `${limit} of ${limit}, no room for more`;
  if (used >= limit - NEAR_END) return `${limit - used} left`;
  return `${used} of ${limit}`;
}

interface Typed {
  text: string;
  /** Cursor position in UTF-16 units, as browsers count. */
  caret: number;
}

/**
 * Limits a change to `limit` code points: cuts off the end of the inserted text and never text that was there before. A
 * text that is already too long may be shortened step by step.
 * @param before the text before the change
 * @param next the text after the change, with the cursor behind the inserted text
 */
export function fit(before: string, next: Typed, limit: number): Typed {
  const used = codePoints(next.text);
  if (used <= limit || used <= codePoints(before)) return next;
  const head = [...next.text.slice(0, next.caret)];
  const tail = next.text.slice(next.caret);
  const tailUsed = codePoints(tail);
  const old = [...before];
  const room = Math.max(0, old.length - tailUsed);
  let stood = 0;
  while (stood < room && stood < head.length && head[stood] === old[stood]) stood += 1;
  const kept = head.slice(0, Math.max(stood, limit - tailUsed)).join('');
  return { text: kept + tail, caret: kept.length };
}
