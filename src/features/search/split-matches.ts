import { toWords } from '#contract/search-words.ts';

export interface TextPart {
  text: string;
  isMatch: boolean;
}

const LATIN = /^[\p{Script=Latin}\d]+$/u;

/** Splits a name into parts, so that the start of each matching word can be highlighted: 'Mee|ra Kul|karni'. */
export function splitMatches(name: string, query: string): TextPart[] {
  const queryWords = toWords(query);
  const parts: TextPart[] = [];
  for (const piece of name.split(/(\s+)/)) {
    const [word] = toWords(piece);
    const match = word === undefined ? undefined : queryWords.find((each) => word.startsWith(each));
    // The end of the match is known only in Latin letters whose number normalization did not change. Letters of other scripts
    // can consist of several characters, or change their shape when they are cut apart: highlight the whole word.
    const isCut = word?.length === piece.length && LATIN.test(piece);
    const length = match === undefined ? 0 : isCut ? match.length : piece.length;
    if (length > 0) parts.push({ text: piece.slice(0, length), isMatch: true });
    if (length < piece.length) parts.push({ text: piece.slice(length), isMatch: false });
  }
  return parts;
}
