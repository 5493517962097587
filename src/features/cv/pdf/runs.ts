import type { Face, Fonts, Weight } from './fonts.ts';

/** Consecutive characters that one font draws. `face` is null if no embedded font has them. */
export interface Run {
  text: string;
  face: Face | null;
}

/** Letters decide which font draws them. Everything else stays in the font of the letters before it. */
const LETTER = /\p{L}/u;
/** Joins or changes the character before it, so it must stay in the same font: vowel signs, joiners, variation selectors. */
const MARK = /[\p{M}\u200c\u200d]/u;

/** Control characters and broken ones have no glyph, and would be drawn as a box. Line breaks become spaces. */
const UNDRAWN = /[\p{Cc}\p{Cs}\ufffe\uffff\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** Prepares typed text for one line. */
export const toLineText = (text: string): string =>
  text.normalize('NFC').replace(/\s+/gu, ' ').replace(UNDRAWN, '').trim();

/** Splits text into runs. */
export function toRuns(text: string, weight: Weight, fonts: Fonts): Run[] {
  const runs: Run[] = [];
  const characters = [...text];
  const find = (character: string) => fonts.find(character.codePointAt(0) ?? 0, weight);
  /** Whether a letter follows that no font has. Signs and digits between two such letters belong to their run, which may go from right to left. */
  const isInside = (at: number) => {
    const next = characters.slice(at).find((character) => LETTER.test(character));
    return next !== undefined && find(next) === null;
  };
  for (const [at, character] of characters.entries()) {
    const codePoint = character.codePointAt(0) ?? 0;
    const last = runs.at(-1);
    const isKept =
      last !== undefined &&
      (MARK.test(character) ||
        (!LETTER.test(character) &&
          (last.face === null ? character === ' ' || isInside(at) : fonts.has(last.face, codePoint))));
    const face = isKept ? last.face : find(character);
    if (last !== undefined && last.face === face) last.text += character;
    else runs.push({ text: character, face });
  }
  return runs;
}
