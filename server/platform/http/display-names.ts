import { invalid } from '#server/platform/http/errors.ts';
import { computeSkeleton, isLookalike } from '#server/platform/names/skeleton.ts';

/** Words that would make a person look like a representative of the company behind the app. */
const OFFICIAL = new Set(
  `admin admins administrator administrators moderator moderators official officials support helpdesk helpteam
  verified sysadmin webmaster postmaster`.split(/\s+/),
);
const BRAND = 'callboard';

/** Letters of other scripts, digits and symbols that look like Latin letters. */
const LOOKALIKES: Record<string, string> = {
  ...Object.fromEntries([...'аӓάα4@'].map((letter) => [letter, 'a'])),
  ...Object.fromEntries([...'сϲ¢'].map((letter) => [letter, 'c'])),
  ...Object.fromEntries([...'еєεё3€'].map((letter) => [letter, 'e'])),
  ...Object.fromEntries([...'іїιı!|'].map((letter) => [letter, 'i'])),
  ...Object.fromEntries([...'оοσ0'].map((letter) => [letter, 'o'])),
  ...Object.fromEntries([...'ѕ5$'].map((letter) => [letter, 's'])),
  ...Object.fromEntries([...'тτ7+'].map((letter) => [letter, 't'])),
  ...Object.fromEntries([...'рρ'].map((letter) => [letter, 'p'])),
  ...Object.fromEntries([...'уυ'].map((letter) => [letter, 'u'])),
  ...Object.fromEntries([...'гɾ'].map((letter) => [letter, 'r'])),
  ...Object.fromEntries([...'мΜ'].map((letter) => [letter, 'm'])),
  ...Object.fromEntries([...'пηո'].map((letter) => [letter, 'n'])),
  ...Object.fromEntries([...'вЬЪ8ß'].map((letter) => [letter, 'b'])),
  ԁ: 'd',
  һ: 'h',
  к: 'k',
  κ: 'k',
  ӏ: 'l',
  ν: 'v',
  ʏ: 'y',
  ƒ: 'f',
};

/** These scripts need zero-width joiners. Anywhere else a joiner only makes two different names look the same. */
const JOINED_SCRIPTS = [
  'Arabic',
  'Bengali',
  'Devanagari',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Malayalam',
  'Oriya',
  'Sinhala',
  'Tamil',
  'Telugu',
]
  .map((script) => `\\p{Script=${script}}`)
  .join('');
const ALLOWED_JOINERS = new RegExp(`(?<=[${JOINED_SCRIPTS}])[\\u200c\\u200d](?=[${JOINED_SCRIPTS}]|$|\\s)`, 'gu');
/** Control and format characters (among them bidirectional overrides and zero-width characters), line separators, blank letters. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u2800\u3164\uffa0]/u;

/** Whether a name contains invisible characters. */
export const hasHiddenCharacters = (name: string): boolean => HIDDEN.test(name.replace(ALLOWED_JOINERS, ''));

/** Replaces look-alikes with Latin letters. @param one the letter that the digit 1 stands for */
const toLatin = (word: string, one: 'i' | 'l') =>
  [...word.normalize('NFD').replace(/\p{Mn}/gu, '')]
    .map((letter) => (letter === '1' ? one : (LOOKALIKES[letter] ?? letter)))
    .join('');

/** The words of a name. Single letters separated by spaces also count as one word. */
function splitWords(name: string): string[] {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}@$!|+€¢]+/u)
    .filter((word) => word !== '');
  const spaced = words.map((word) => ([...word].length === 1 ? word : ' ')).join('');
  return [...words, ...spaced.split(/ +/), words.join('')];
}

const RESERVED = [...OFFICIAL, BRAND].map(computeSkeleton);
const isLikeReserved = (word: string): boolean => {
  const skeleton = computeSkeleton(word);
  return RESERVED.some((known) => isLookalike(skeleton, known));
};

/** Whether a name impersonates the company: one of its words is reserved, also when written with look-alike letters or extra digits. */
export function isOfficialName(name: string): boolean {
  return splitWords(name)
    .flatMap((word) => [word, word.replace(/^[\d\W_]+|[\d\W_]+$/gu, '')])
    .flatMap((word) => [toLatin(word, 'i'), toLatin(word, 'l')])
    .some((word) => OFFICIAL.has(word) || word.includes(BRAND) || isLikeReserved(word));
}

/** @throws 422 on `field` when the name contains invisible characters or a reserved word */
export function requireAllowedName(name: string | undefined, field: string): void {
  if (name === undefined) return;
  if (hasHiddenCharacters(name)) throw invalid({ [field]: ['Remove the hidden character and try again'] });
  if (isOfficialName(name))
    throw invalid({ [field]: ['Words such as “Callboard”, “support” or “admin” are reserved. Use your own name'] });
}
