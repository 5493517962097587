import { foldAccents } from './text.ts';

/** Normalizes text for comparison: ignores case, accents and extra spaces. */
const plainText = (text: string): string => foldAccents(text).replace(/\s+/g, ' ').trim();

/** Returns each text once, in its most frequent spelling, ordered by use and then by alphabet. Drops empty texts. */
export function rankByUse(texts: readonly string[]): string[] {
  const groups = new Map<string, Map<string, number>>();
  for (const text of texts) {
    const shown = text.replace(/\s+/g, ' ').trim();
    const key = plainText(shown);
    if (key === '') continue;
    const spellings = groups.get(key) ?? new Map<string, number>();
    spellings.set(shown, (spellings.get(shown) ?? 0) + 1);
    groups.set(key, spellings);
  }
  return [...groups.values()]
    .map((spellings) => {
      const [first] = [...spellings].sort(([, a], [, b]) => b - a);
      return { text: first![0], uses: [...spellings.values()].reduce((sum, n) => sum + n, 0) };
    })
    .sort((a, b) => b.uses - a.uses || a.text.localeCompare(b.text, 'en-IN'))
    .map(({ text }) => text);
}

/**
 * Returns suggestions for the typed text: first the known texts that start with it, then those with a word that starts
 * with it, both in their given order. A text that is already typed in full is not suggested.
 */
export function suggest(known: readonly string[], typed: string, max = 6): string[] {
  const wanted = plainText(typed);
  const starts: string[] = [];
  const within: string[] = [];
  for (const text of known) {
    const plain = plainText(text);
    if (plain === wanted) continue;
    if (plain.startsWith(wanted)) starts.push(text);
    else if (plain.split(/[\s,/-]+/).some((word) => word.startsWith(wanted))) within.push(text);
  }
  return [...starts, ...within].slice(0, max);
}
