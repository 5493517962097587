/** Counts code points, so that most emoji count as one character, identically in app and server. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** 'photo' → 'Photo'. */
export const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
