import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#server/platform/paths.ts';

/** One entry a line after a head of comments; made by scripts/common-passwords.ts. */
export const COMMON_PASSWORDS = path.join(projectRoot, 'server/features/account/common-passwords.txt');

/** What guessers try at this company before anything else, and what the list does not know. */
const SITE_WORDS =
  'callboard bollywood hollywood kollywood india bharat namaste ganesha correcthorsebatterystaple'.split(' ');
/** Shorter words say nothing: they are in everything. */
const MIN_WORD_LENGTH = 4;
/** Digits, years and punctuation around a common word; more of them are a password of their own. */
const MAX_AFFIX_LENGTH = 10;
const RUNS = [
  '01234567890123456789',
  '98765432109876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
];
const SWAPS: Record<string, string> = {
  0: 'o',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  '@': 'a',
  $: 's',
  '+': 't',
  '!': 'i',
};

let common: Set<string> | null = null;
/** Read at the first use: a server that only answers reads does without. */
function commonPasswords(): Set<string> {
  common ??= new Set([
    ...SITE_WORDS,
    ...readFileSync(COMMON_PASSWORDS, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#')),
  ]);
  return common;
}

/** A password as it is compared: case, blanks and forms of one letter make no difference. */
export const plainPassword = (password: string): string => password.normalize('NFKC').toLowerCase().replace(/\s+/g, '');

/** The word behind the usual swaps of letters for digits and signs; `1` may stand for two letters. */
export function undoSubstitutions(text: string): string[] {
  const read = (one: string) => [...text].map((letter) => (letter === '1' ? one : (SWAPS[letter] ?? letter))).join('');
  return [...new Set([text, read('i'), read('l')])];
}

const isLetter = (letter: string) => /[\p{L}\p{M}]/u.test(letter);

/** The text, and what is left of it without some or all of the digits and signs before and behind it. */
function* listCores(text: string): Generator<string> {
  const letters = [...text];
  const first = letters.findIndex(isLetter);
  const last = letters.findLastIndex(isLetter);
  if (first === -1) {
    yield text;
    return;
  }
  for (let start = 0; start <= first; start += 1) {
    for (let end = letters.length; end > last; end -= 1) {
      if (start + letters.length - end <= MAX_AFFIX_LENGTH) yield letters.slice(start, end).join('');
    }
  }
}

function isCommonCore(core: string): boolean {
  const known = commonPasswords();
  if (known.has(core)) return true;
  return undoSubstitutions(core).some((word) => {
    if ([...word].length < MIN_WORD_LENGTH) return false;
    const half = word.slice(0, word.length / 2);
    return known.has(word) || (half.length >= MIN_WORD_LENGTH && word === half + half && known.has(half));
  });
}

/** The person's own words: names, the address and its parts. */
function ownWords(name: string, email: string): string[] {
  const [local = '', domain = ''] = email.split('@');
  const parts = [...name.split(/[^\p{L}\p{M}\p{N}]+/u), ...local.split(/[^\p{L}\p{M}\p{N}]+/u), local, email, domain];
  const words = parts.map(plainPassword).filter((word) => [...word].length >= 3 && /\p{L}/u.test(word));
  // The longest first, so that no part of one is left of it.
  return [...new Set(words)].sort((one, other) => other.length - one.length);
}

/** Whether next to nothing is left of a password without the person's own words, digits and signs. */
function isOwnWords(plain: string, words: string[]): boolean {
  return undoSubstitutions(plain).some((text) => {
    let rest = text;
    for (const word of words) rest = rest.replaceAll(word, '');
    if (rest === text) return false;
    return [...rest].filter(isLetter).length < MIN_WORD_LENGTH && [...rest].length <= MAX_AFFIX_LENGTH;
  });
}

export interface PersonalWords {
  name: string;
  email: string;
}

/**
 * Whether a guesser tries the password early. `common`: it is in the list of those most used, alone or with digits, a year or
 * punctuation around it and the usual swaps, or one short piece over and over, or a run of keys. `own`: it is made of the
 * person's name or address.
 */
export function getWeakness(password: string, { name, email }: PersonalWords): 'common' | 'own' | null {
  const plain = plainPassword(password);
  if (/^(.{1,4})\1+.{0,3}$/su.test(plain) || RUNS.some((run) => run.includes(plain))) return 'common';
  for (const core of listCores(plain)) if (isCommonCore(core)) return 'common';
  return isOwnWords(plain, ownWords(name, email)) ? 'own' : null;
}
