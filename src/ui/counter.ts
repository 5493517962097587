import { codePoints } from '#lib/text.ts';

/** From here before the end the counter says how many are left. */
export const NEAR_END = 20;

/** What stands below a text with a limit: '12 of 500', '7 left', '3 too many'. Both in code points. */
export function counterText(used: number, limit: number): string {
  if (used > limit) return `${used - limit} over the limit`;
  if (used === limit) return `${limit} of ${limit}, no room for more`;
  if (used >= limit - NEAR_END) return `${limit - used} left`;
  return `${used} of ${limit}`;
}

interface Typed {
  text: string;
  /** Where the cursor stands, in UTF-16 units as browsers count. */
  caret: number;
}

/**
 * What a box keeps of a change: where it would grow beyond `limit` code points, the end of what was put in is left out,
 * and never what stood there before. A text that came too long may be shortened step by step.
 * @param before the text until now
 * @param next the text as typed or pasted, with the cursor behind what was put in
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
