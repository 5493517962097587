import { wordlist } from '@scure/bip39/wordlists/english.js';

/** The words of codes: 2,048, so that each word is worth eleven bits. */
export const WORDS: readonly string[] = wordlist;

/** Words in a code: 66 bits, which the key derivation makes costly to guess. */
export const CODE_LENGTH = 6;

/** Makes a code of random words. It is kept nowhere. */
export function makeCode(): string[] {
  // 65,536 is a multiple of 2,048, so every word is equally likely.
  return [...crypto.getRandomValues(new Uint16Array(CODE_LENGTH))].map((n) => WORDS[n % WORDS.length]!);
}

/** The words of a typed code, without regard to case and blanks. */
export const parseCode = (typed: string): string[] =>
  typed
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);

/** The first word that is in no code, or null: such a word is a slip. */
export const findSlip = (words: readonly string[]): string | null =>
  words.find((word) => !WORDS.includes(word)) ?? null;
