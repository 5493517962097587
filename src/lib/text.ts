export { codePoints, MONTHS } from '#contract/text.ts';

/** 'IMG_20260814.jpg' → 'IMG_20260814...': names over 15 characters keep their first 12. */
export function shortName(name: string): string {
  const points = [...name];
  return points.length > 15 ? `${points.slice(0, 12).join('')}...` : name;
}

/** The first `max` code points. A cut between UTF-16 units can leave half of an emoji, which the server refuses. */
export const cutText = (text: string, max: number): string => [...text].slice(0, max).join('');

/** '1 change', '5 changes'. For a number at the start of a sentence, use `numberInWords`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-IN')} ${n === 1 ? one : many}`;
}

const WORDS = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

/** 2 → 'Two'; digits from eleven on. For the first word of a sentence. */
export function numberInWords(n: number): string {
  return WORDS[n] ?? String(n);
}

/** 'Meera Kulkarni' → 'MK'; one letter for a single name, in any script. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toLocaleUpperCase('en-IN');
}

/** Whether a name is too long for the headline size on a phone. */
export const isLong = (name: string): boolean => name.length > 40;

/** Removes case and accents, for searching. */
export const foldAccents = (text: string): string =>
  text
    .normalize('NFD')
    // Only accents of Latin letters: other scripts write vowels as combining marks.
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase();
