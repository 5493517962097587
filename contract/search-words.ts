/**
 * Text normalization and typo matching for the people search, shared by the server's index and the device. This file
 * imports nothing.
 */

/** Longer words are truncated, in code points. */
const MAX_WORD_LENGTH = 40;

/** Sounds of the Indic scripts by offset in their Unicode block. The offsets are the same in every block (ISCII). */
const VOWELS = new Map<number, string>();
const SIGNS = new Map<number, string>();
const CONSONANTS = new Map<number, string>();
const VIRAMA = 0x4d;

const spell = (letters: Map<number, string>, first: number, sounds: string) =>
  sounds.split(' ').forEach((sound, at) => letters.set(first + at, sound));
spell(VOWELS, 0x05, 'a a i i u u ri l e e e ai o o o au');
spell(CONSONANTS, 0x15, 'k kh g gh n ch chh j jh n t th d dh n t th d dh n n p ph b bh m y r r l l l v sh sh s h');
spell(CONSONANTS, 0x58, 'k kh g z r rh f y');
spell(SIGNS, 0x3e, 'a i i u u ri ri e e e ai o o o au');
const NASALS = new Set([0x00, 0x01, 0x02, 0x70]);
const DIGITS_AT = 0x66;

const INDIC = /[\u0900-\u0d7f]+/g;

/** Transliterates a run of Indic letters to Latin, roughly as its speakers write it: मीरा → mira. */
function romanize(run: string): string {
  let text = '';
  /** The last consonant has an inherent a, which is written unless a vowel sign, a virama or the end of the word follows. */
  let isOpen = false;
  for (const letter of run) {
    const place = (letter.codePointAt(0) ?? 0) & 0x7f;
    const consonant = CONSONANTS.get(place);
    const vowel = VOWELS.get(place);
    const sign = SIGNS.get(place);
    if (consonant !== undefined) {
      text += (isOpen ? 'a' : '') + consonant;
      isOpen = true;
    } else if (sign !== undefined || place === VIRAMA) {
      text += sign ?? '';
      isOpen = false;
    } else if (vowel !== undefined) {
      text += (isOpen ? 'a' : '') + vowel;
      isOpen = false;
    } else if (NASALS.has(place)) {
      text += isOpen ? 'an' : 'n';
      isOpen = false;
    } else if (place >= DIGITS_AT && place < DIGITS_AT + 10) {
      text += String(place - DIGITS_AT);
      isOpen = false;
    }
  }
  return text;
}

/** Splits a text into its words, in order: lower case, without accents, Indic scripts in Latin letters. */
export function toWords(text: string): string[] {
  const plain = text
    .normalize('NFD')
    .replace(INDIC, romanize)
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’ʼ]/g, '')
    .toLowerCase();
  return (plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) => [...word].slice(0, MAX_WORD_LENGTH).join(''));
}

/** Normalizes a text for comparison: two texts with the same words yield the same string. */
export const normalizeText = (text: string): string => toWords(text).join(' ');

const PHONETIC_RULES: readonly (readonly [RegExp, string])[] = [
  [/ph/g, 'f'],
  [/w/g, 'v'],
  [/z/g, 'j'],
  [/x/g, 'ks'],
  [/q|ck/g, 'k'],
  [/([kgcjtdbs])h/g, '$1'],
  [/ee|ii/g, 'i'],
  [/oo|uu|ou/g, 'u'],
  [/[ae][iy]/g, 'e'],
  [/y$/, 'i'],
  [/(.)\1+/g, '$1'],
  [/(?!^)a/g, ''],
];

/**
 * Returns a phonetic key that is the same for different spellings of a name: Meera and Mira, Lakshmi and Laxmi. Words of
 * fewer than three letters are returned unchanged.
 */
export function toPhoneticKey(word: string): string {
  if (!/^[a-z]{3,}$/.test(word)) return word;
  return PHONETIC_RULES.reduce((sound, [spelling, by]) => sound.replace(spelling, by), word);
}

/** The number of typos that a word of this length may have. */
const maxTyposFor = (word: string) => (word.length < 4 ? 0 : word.length < 6 ? 1 : 2);

/** The set of a word's letters as a bit mask: similar words have similar masks. */
function toLetterMask(word: string): number {
  let bits = 0;
  for (let at = 0; at < word.length; at += 1) bits |= 1 << (word.charCodeAt(at) & 31);
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
}

/**
 * Whether `typed` is `word` with at most a few typos: one in words of four and five letters, two in longer ones, none in
 * shorter ones.
 */
export function isTypo(typed: string, word: string): boolean {
  const maxTypos = maxTyposFor(typed);
  if (maxTypos === 0 || Math.abs(typed.length - word.length) > maxTypos) return typed === word;
  // Most words differ by more letters than the typos could change, so they need no distance table.
  const [typedMask, wordMask] = [toLetterMask(typed), toLetterMask(word)];
  if (countBits(typedMask & ~wordMask) > maxTypos || countBits(wordMask & ~typedMask) > maxTypos) return false;
  return editDistance(typed, word, maxTypos) <= maxTypos;
}

/** Damerau–Levenshtein distance (adjacent transpositions). Stops early with a value above `maxDistance` once it is exceeded. */
function editDistance(typed: string, word: string, maxDistance: number): number {
  let before: number[] = [];
  let last = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (let i = 1; i <= typed.length; i += 1) {
    const row = [i];
    let rowMin = i;
    for (let j = 1; j <= word.length; j += 1) {
      const isSame = typed[i - 1] === word[j - 1];
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1]) {
        cost = Math.min(cost, before[j - 2]! + 1);
      }
      row[j] = cost;
      rowMin = Math.min(rowMin, cost);
    }
    if (rowMin > maxDistance) return rowMin;
    before = last;
    last = row;
  }
  return last[word.length]!;
}
