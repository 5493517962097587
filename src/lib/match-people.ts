import type { SearchRow } from '#contract/records/search.ts';
import { isTypo, normalizeText, toPhoneticKey, toWords } from '#contract/search-words.ts';
import { splitList, type SearchFilters } from './search-filters.ts';

/** A person who can be found on this device, with their words prepared for comparison. */
export interface SearchablePerson {
  row: SearchRow;
  /** Words with a space before and after each: ' meera kulkarni '. */
  names: string;
  /** Words of title, location, profile type, skills and languages. */
  main: string;
  credits: string;
  places: string;
  skills: { name: string; level: number }[];
}

interface PersonSource {
  row: SearchRow;
  /** Name of their industry, if known. */
  industry?: string | undefined;
  /** Texts about their credits. */
  credits?: readonly (string | null | undefined)[];
  /** Skills beyond those of the row, job roles, qualities of a voice. */
  spoken?: readonly (string | null | undefined)[];
}

const spaced = (texts: readonly (string | null | undefined)[]) =>
  ` ${[...new Set(texts.flatMap((text) => toWords(text ?? '')))].join(' ')} `;

/** Prepares a person for searching, with the same words as the server's index. */
export function toSearchable({ row, industry, credits = [], spoken = [] }: PersonSource): SearchablePerson {
  const { facts } = row;
  const skills = facts?.skills ?? [];
  return {
    row,
    names: spaced([row.stage_name, facts?.name]),
    main: spaced([
      ...[row.title, row.location, row.profile_type.name, industry],
      ...(facts?.languages.map(({ name }) => name) ?? []),
      ...skills.map(({ name }) => name),
      ...spoken,
    ]),
    credits: spaced(credits),
    places: spaced([row.location]),
    skills: skills.map(({ name, level }) => ({ name: ` ${normalizeText(name)} `, level })),
  };
}

/** Returns the name of an entry of a filter's list by its id. */
export type NameOf = (filter: 'accent' | 'voice_language', id: string) => string | undefined;

const hasPrefix = (words: string, word: string) => words.includes(` ${word}`);
const hasWord = (words: string, word: string) => words.includes(` ${word} `);

/** Every word of these texts once, for finding typos. */
function getVocabulary(texts: Iterable<string>): string[] {
  const words = new Set<string>();
  for (const text of texts) for (const word of text.split(' ')) if (word !== '') words.add(word);
  return [...words];
}

/** The words of a list of people, collected once for all searches in it. */
interface Words {
  all: string[];
  /** Words of names by their phonetic key. */
  sounds: Map<string, string[]>;
  places: string[];
  skills: string[];
}
const wordCache = new WeakMap<readonly SearchablePerson[], Partial<Words>>();

const WORD_COLLECTORS: { [K in keyof Words]: (people: readonly SearchablePerson[]) => Words[K] } = {
  all: (people) => getVocabulary(people.flatMap(({ names, main, credits }) => [names, main, credits])),
  sounds: (people) => {
    const sounds = new Map<string, string[]>();
    for (const word of getVocabulary(people.map(({ names }) => names))) {
      const sound = toPhoneticKey(word);
      const known = sounds.get(sound);
      if (known) known.push(word);
      else sounds.set(sound, [word]);
    }
    return sounds;
  },
  places: (people) => [...new Set(people.map(({ places }) => places))],
  skills: (people) => [...new Set(people.flatMap(({ skills }) => skills.map(({ name }) => name)))],
};

function getWords<K extends keyof Words>(people: readonly SearchablePerson[], kind: K): Words[K] {
  const known = wordCache.get(people) ?? {};
  wordCache.set(people, known);
  const words: Words[K] = known[kind] ?? WORD_COLLECTORS[kind](people);
  known[kind] = words;
  return words;
}

type Test = (person: SearchablePerson) => boolean;

/**
 * Matches texts in which every typed word is the prefix of some word. A typed word that is a prefix in none of the
 * texts counts as a typo of the known words that resemble it.
 */
function wordTest(texts: readonly string[], typed: string): (text: string) => boolean {
  const words = toWords(typed);
  let vocabulary: string[] | null = null;
  const tests = words.map((word) => {
    if (texts.some((text) => hasPrefix(text, word))) return (text: string) => hasPrefix(text, word);
    vocabulary ??= getVocabulary(texts);
    const alike = vocabulary.filter((known) => isTypo(word, known));
    return (text: string) => alike.some((each) => hasWord(text, each));
  });
  return (text) => words.length > 0 && tests.every((test) => test(text));
}

const oneOf = (tests: readonly ((text: string) => boolean)[]) => (text: string) => tests.some((test) => test(text));

function listTests(filters: SearchFilters, nameOf: NameOf): Test[] {
  const tests: Test[] = [];
  const { type, industry, language, hair, eyes, reel, active } = filters;
  if (type) tests.push(({ row }) => splitList(type).includes(row.profile_type.slug));
  if (industry) {
    tests.push(({ row: { facts } }) => splitList(industry).includes(facts?.profile_industry_id ?? ''));
  }
  if (language) {
    tests.push(({ row: { facts } }) =>
      splitList(language).every((id) => facts?.languages.some((each) => each.id === id)),
    );
  }
  const inWords = (asked: string, of: (person: SearchablePerson) => string | null | undefined) => {
    const wanted = splitList(asked).map(toWords);
    /** Results by value: many people share few colors. */
    const known = new Map<string, boolean>();
    tests.push((person) => {
      const text = of(person) ?? '';
      const before = known.get(text);
      if (before !== undefined) return before;
      const plain = ` ${normalizeText(text)} `;
      const fits = wanted.some((words) => words.length > 0 && words.every((word) => hasWord(plain, word)));
      known.set(text, fits);
      return fits;
    });
  };
  if (hair) inWords(hair, ({ row }) => row.facts?.hair);
  if (eyes) inWords(eyes, ({ row }) => row.facts?.eyes);
  const named = (
    filter: 'accent' | 'voice_language',
    of: (person: SearchablePerson) => readonly string[] | undefined,
  ) => {
    if (!filters[filter]) return;
    const names = splitList(filters[filter]).map((id) => nameOf(filter, id));
    tests.push((person) => of(person)?.some((name) => names.includes(name)) ?? false);
  };
  named('accent', ({ row }) => row.facts?.accents);
  named('voice_language', ({ row }) => row.facts?.voice_languages);
  if (reel === '1') tests.push(({ row }) => row.facts?.has_reel ?? false);
  if (active === '1') tests.push(({ row }) => row.facts?.is_active_lately ?? false);
  return tests;
}

function rangeTests(filters: SearchFilters): Test[] {
  const tests: Test[] = [];
  const number = (text: string | undefined) => (text === undefined || Number.isNaN(Number(text)) ? null : Number(text));
  const plays = (from: number, to: number): Test => {
    return ({ row: { facts } }) => {
      const { min_age_range: low = null, max_age_range: high = null } = facts ?? {};
      return (low !== null || high !== null) && (low ?? 0) <= to && (high ?? 100) >= from;
    };
  };
  const [age, youngest, oldest] = [number(filters.age), number(filters.min_age), number(filters.max_age)];
  if (age !== null) tests.push(plays(age, age));
  if (youngest !== null || oldest !== null) tests.push(plays(youngest ?? 0, oldest ?? 100));
  const [shortest, tallest] = [number(filters.min_height), number(filters.max_height)];
  if (shortest !== null) tests.push(({ row }) => (row.facts?.height ?? -1) >= shortest);
  if (tallest !== null) tests.push(({ row }) => (row.facts?.height ?? Infinity) <= tallest);
  return tests;
}

/** Returns the people who pass all filters. */
function applyFilters(people: readonly SearchablePerson[], filters: SearchFilters, nameOf: NameOf): SearchablePerson[] {
  const tests = [...listTests(filters, nameOf), ...rangeTests(filters)];
  if (filters.location) {
    const places = getWords(people, 'places');
    const isThere = oneOf(splitList(filters.location).map((part) => wordTest(places, part)));
    tests.push((person) => isThere(person.places));
  }
  const level = Number(filters.level ?? 1) || 1;
  for (const part of splitList(filters.skill)) {
    const isIt = wordTest(getWords(people, 'skills'), part);
    tests.push((person) => person.skills.some((skill) => skill.level >= level && isIt(skill.name)));
  }
  return people.filter((person) => tests.every((test) => test(person)));
}

/** With this many exact matches, fuzzy matches are not searched. */
const MAX_EXACT_RESULTS = 20;

/** Tests in order of decreasing closeness, the same as on the server. */
function getExactTests(words: readonly string[]): Test[] {
  const all = (test: (person: SearchablePerson, word: string) => boolean): Test => {
    return (person) => words.every((word) => test(person, word));
  };
  const wide = (word: string) => word.length > 1;
  const inMain = ({ names, main }: SearchablePerson, word: string) =>
    hasPrefix(names, word) || (wide(word) && hasPrefix(main, word));
  return [
    all(({ names }, word) => hasWord(names, word)),
    all(({ names }, word) => hasPrefix(names, word)),
    all(({ names, main }, word) => hasWord(names, word) || (wide(word) && hasWord(main, word))),
    all(inMain),
    all((person, word) => inMain(person, word) || (wide(word) && hasPrefix(person.credits, word))),
  ];
}

function getFuzzyTests(people: readonly SearchablePerson[], words: readonly string[]): Test[] {
  const vocabulary = getWords(people, 'all');
  const sounds = getWords(people, 'sounds');
  // One pattern for all the variants of a word, so that each text is searched once.
  const toPattern = (word: string, alike: readonly string[]) =>
    new RegExp(` (?:${[...(word === '' ? [] : [`${word}[^ ]*`]), ...alike].join('|')}) `);
  const asked = words.map((word) => {
    const slips = vocabulary.filter((known) => isTypo(word, known));
    const begun = word.length > 1 ? word : '';
    return {
      names: toPattern(word, [...slips, ...(sounds.get(toPhoneticKey(word)) ?? [])]),
      begun: begun === '' ? null : toPattern(begun, []),
      rest: begun === '' ? null : toPattern(begun, slips),
    };
  });
  const test = (restOf: (each: (typeof asked)[number]) => RegExp | null): Test => {
    return ({ names, main, credits }) =>
      asked.every((each) => {
        const rest = restOf(each);
        return each.names.test(names) || (rest !== null && (rest.test(main) || rest.test(credits)));
      });
  };
  return [test(({ begun }) => begun), test(({ rest }) => rest)];
}

/** Ranks profiles that match equally: one with more content comes first. */
function quality({ row }: SearchablePerson): number {
  const { facts } = row;
  if (!facts) return row.profile_photo ? 25 : 0;
  return (
    (row.profile_photo ? 25 : 0) +
    (facts.has_reel ? 20 : 0) +
    (facts.skills.length > 0 ? 10 : 0) +
    (facts.min_age_range !== null ? 5 : 0) +
    (facts.height !== null ? 5 : 0)
  );
}

/**
 * Returns the people on this device who match, the closest first, with the same filters and ranking as GET /search. It
 * uses only what this device knows: a filter excludes people for whom the value is unknown.
 */
export function matchPeople(
  people: readonly SearchablePerson[],
  filters: SearchFilters,
  nameOf: NameOf,
): SearchablePerson[] {
  const left = new Set(applyFilters(people, filters, nameOf));
  const found: SearchablePerson[] = [];
  const take = (test: Test) => {
    const some = [...left].filter(test);
    for (const person of some) left.delete(person);
    found.push(
      ...some
        .map((person) => ({ person, by: quality(person) }))
        .sort((a, b) => b.by - a.by)
        .map((each) => each.person),
    );
  };
  if (filters.q === undefined) {
    take(() => true);
    return found;
  }
  const words = [...new Set(toWords(filters.q))].slice(0, 8);
  if (words.length === 0) return [];
  for (const test of getExactTests(words)) take(test);
  if (found.length < MAX_EXACT_RESULTS) for (const test of getFuzzyTests(people, words)) take(test);
  return found;
}
