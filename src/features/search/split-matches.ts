import { toWords } from '#contract/search-words.ts';

export interface TextPart {
  text: string;
  isMatch: boolean;
}

/** Splits a name into parts, so that the start of each matching word can be highlighted: 'Mee|ra Kul|karni'. */
export function splitMatches(name: string, query: string): TextPart[] {
  const queryWords = toWords(query);
  const parts: TextPart[] = [];
  for (const piece of name.split(/(\s+)/)) {
    const [word] = toWords(piece);
    const match = word === undefined ? undefined : queryWords.find((each) => word.startsWith(each));
    // If normalization changed the length of the word, the end of the match is unknown: highlight the whole word.
    const length = match === undefined ? 0 : word!.length === piece.length ? match.length : piece.length;
    if (length > 0) parts.push({ text: piece.slice(0, length), isMatch: true });
    if (length < piece.length) parts.push({ text: piece.slice(length), isMatch: false });
  }
  return parts;
}
