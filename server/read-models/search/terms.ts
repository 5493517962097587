import { sql } from 'drizzle-orm';
import { isTypo, normalizeText, toPhoneticKey, toWords } from '#contract/search-words.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { searchTerms } from '#server/platform/db/schema.ts';

/** Maximum number of index terms that replace a mistyped word, best first. */
const MAX_SIMILAR_TERMS = 12;
/** Maximum number of index terms that replace the beginning of a word. */
const MAX_NAMED_TERMS = 20;
const MAX_SKILLS = 40;
/** Words of one text that are looked up; more are left out. */
const MAX_QUERY_WORDS = 8;

const quoted = (text: string) => `'${text.replace(/['\\]/g, '')}'`;
/** Quotes a token for tsquery, optionally as a prefix. */
export const exactToken = (token: string) => quoted(token);
export const prefixToken = (token: string) => `${quoted(token)}:*`;
export const anyOf = (parts: readonly string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(' | ')})`);
export const allOf = (parts: readonly string[]) => (parts.length === 1 ? parts[0]! : `(${parts.join(' & ')})`);

/** Variants with two adjacent letters swapped, because short words then share no trigram. */
const transposeLetters = (word: string) =>
  Array.from({ length: Math.max(0, word.length - 1) }, (_, at) =>
    [word.slice(0, at), word[at + 1], word[at], word.slice(at + 2)].join(''),
  );

/** Finds index terms within typo distance of a word. */
export async function findSimilarTerms(db: Db, kind: 'w' | 'c', word: string): Promise<string[]> {
  if (word.length < 4) return [];
  const { rows } = await db.execute<{ term: string }>(sql`
    select term from ${searchTerms}
    where kind = ${kind} and (term % ${word} or term = any(${sql.param(transposeLetters(word))}::text[])) and term <> ${word}
    order by similarity(term, ${word}) desc, term limit 60`);
  return rows
    .map(({ term }) => term)
    .filter((term) => isTypo(word, term))
    .slice(0, MAX_SIMILAR_TERMS);
}

/** Finds index terms of a field that start with a word, in no order; at most one more than `MAX_NAMED_TERMS`. */
async function findLongerTerms(db: Db, kind: 'c', word: string): Promise<string[]> {
  const { rows } = await db.execute<{ term: string }>(sql`
    select term from ${searchTerms} where kind = ${kind} and term like ${`${word}%`} limit ${MAX_NAMED_TERMS + 1}`);
  return rows.map(({ term }) => term);
}

/**
 * Builds the query for one word of a place; an unknown one matches places with a similar spelling. A few places are named one by one, because
 * the index of tokens reads every match of a prefix before it looks at the other tokens.
 */
async function buildPlaceWordQuery(db: Db, word: string): Promise<string> {
  const longer = await findLongerTerms(db, 'c', word);
  if (longer.length > MAX_NAMED_TERMS) return prefixToken(`c:${word}`);
  const known = longer.length > 0 ? longer : [word, ...(await findSimilarTerms(db, 'c', word))];
  return anyOf(known.map((term) => exactToken(`c:${term}`)));
}

/** Builds the query for a typed place. @returns null without words */
export async function buildPlaceQuery(db: Db, text: string): Promise<string | null> {
  const parts: string[] = [];
  for (const word of toWords(text).slice(0, MAX_QUERY_WORDS)) parts.push(await buildPlaceWordQuery(db, word));
  return parts.length === 0 ? null : allOf(parts);
}

/** Finds skill names in which each word is a word prefix or, if there are none, a near match. */
async function findSimilarSkills(db: Db, words: readonly string[]): Promise<string[]> {
  const holds = (name: string, fits: (word: string, typed: string) => boolean) => {
    const own = name.split(' ');
    return words.every((typed) => own.some((word) => fits(word, typed)));
  };
  const likes = words.map((word) => sql`term like ${`%${word}%`}`);
  const { rows } = await db.execute<{ term: string }>(sql`
    select term from ${searchTerms} where kind = 's' and ${sql.join(likes, sql` and `)} order by length(term) limit 200`);
  const named = rows.map(({ term }) => term).filter((name) => holds(name, (word, typed) => word.startsWith(typed)));
  if (named.length > 0) return named.slice(0, MAX_SKILLS);
  const whole = words.join(' ');
  const alike = await db.execute<{ term: string }>(sql`
    select term from ${searchTerms} where kind = 's' and (${whole} <% term or term % ${whole})
    order by word_similarity(${whole}, term) desc, term limit 60`);
  return alike.rows
    .map(({ term }) => term)
    .filter((name) => holds(name, (word, typed) => isTypo(typed, word) || word.startsWith(typed)))
    .slice(0, MAX_SKILLS);
}

/** Builds the query for a typed skill at a minimum level. */
export async function buildSkillQuery(db: Db, text: string, level: number): Promise<string | null> {
  const words = toWords(text).slice(0, MAX_QUERY_WORDS);
  if (words.length === 0) return null;
  const names = await findSimilarSkills(db, words);
  return anyOf([...new Set([normalizeText(text), ...names])].map((name) => exactToken(`s${level}:${name}`)));
}

/**
 * Queries for a text, in steps of decreasing relevance; each step excludes the results of the steps before it.
 * `near` steps match the text as typed; `far` steps match typos and other spellings of names.
 */
export interface SearchSteps {
  near: string[];
  far: () => Promise<string[]>;
}

export function buildSearchSteps(db: Db, text: string): SearchSteps | null {
  const words = [...new Set(toWords(text))].slice(0, MAX_QUERY_WORDS);
  if (words.length === 0) return null;
  // A single letter matches too much, so it is only searched in names.
  const fields = (word: string, all: readonly string[]) => (word.length > 1 ? all : ['n']);
  const inAll = (
    all: readonly string[],
    ask: (token: string) => string,
    more: (word: string) => readonly string[] = () => [],
  ) => allOf(words.map((word) => anyOf([...fields(word, all).map((field) => ask(`${field}:${word}`)), ...more(word)])));
  return {
    near: [
      inAll(['n'], exactToken),
      inAll(['n'], prefixToken),
      // Whole words are much cheaper to look up than prefixes, and usually what is meant.
      inAll(['n', 'm'], exactToken),
      inAll(['n', 'm'], prefixToken),
      inAll(['n', 'm', 'x'], prefixToken),
    ],
    far: async () => {
      const alike = new Map<string, string[]>();
      for (const word of words) alike.set(word, await findSimilarTerms(db, 'w', word));
      const wide = (all: readonly string[]) =>
        inAll(['n', 'm', 'x'], prefixToken, (word) => [
          exactToken(`z:${toPhoneticKey(word)}`),
          ...(alike.get(word) ?? []).flatMap((each) => all.map((field) => exactToken(`${field}:${each}`))),
        ]);
      return [wide(['n']), wide(['n', 'm', 'x'])];
    },
  };
}
