import { toWords } from '#contract/search-words.ts';

export interface TextPart {
  text: string;
  isMatch: boolean;
}

/** A name in parts, so that what was typed stands out: 'Mee|ra Kul|karni'. Words of other scripts stand as they are. */
export function splitMatches(name: string, typed: string): TextPart[] {
  const wanted = toWords(typed);
  const parts: TextPart[] = [];
  for (const piece of name.split(/(\s+)/)) {
    const [word] = toWords(piece);
    const match = word === undefined ? undefined : wanted.find((each) => word.startsWith(each));
    // Where a letter of the name is written as two, or none, its end cannot be told from the length.
    const length = match === undefined ? 0 : word!.length === piece.length ? match.length : piece.length;
    if (length > 0) parts.push({ text: piece.slice(0, length), isMatch: true });
    if (length < piece.length) parts.push({ text: piece.slice(length), isMatch: false });
  }
  return parts;
}
