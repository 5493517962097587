import { codePoints } from '../text.ts';

/** What a printed page of a script holds, roughly. */
const LINES_PER_PAGE = 55;
const CHARACTERS_PER_PAGE = 3000;

/** Counts the pages of sides that are text: by lines or by characters, whichever makes more, rounded up. An empty text has none. */
export function countPages(text: string): number {
  const trimmed = text.trim();
  if (trimmed === '') return 0;
  const lines = trimmed.split(/\r\n|\r|\n/).length;
  return Math.max(Math.ceil(lines / LINES_PER_PAGE), Math.ceil(codePoints(trimmed) / CHARACTERS_PER_PAGE));
}
