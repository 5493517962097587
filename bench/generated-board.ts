import type pg from 'pg';
import { toWords } from '#contract/search-words.ts';
import { connect } from '#server/platform/db/connect.ts';
import { indexBatch } from '#server/read-models/search/indexer.ts';
import type { Log } from '#server/platform/log.ts';

/** A deterministic pseudo-random generator: the same numbers in every run. */
export function createPrng(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const upTo = (count: number) => Math.floor(next() * count);
  /** Picks with a skew: some values are far more frequent than others. */
  const often = <T>(list: readonly T[]): T => list[Math.floor(next() ** 2.5 * list.length)]!;
  return { next, upTo, often, one: <T>(list: readonly T[]): T => list[upTo(list.length)]! };
}

const ONSETS = 'a i u ka ki ku ga gi cha ja ta ti da di na ni pa pu ba bi ma mi ra ri la li va vi sha sa su ha'.split(
  ' ',
);
const ENDS = 'r n t l sh na ni ya ra va ta ka li ma nt rkar lkar der pal jan'.split(' ');
const CITIES = (
  'Mumbai Delhi Bengaluru Hyderabad Chennai Kolkata Pune Ahmedabad Kochi Jaipur Lucknow Nagpur Indore Bhopal Patna ' +
  'Vadodara Ludhiana Agra Nashik Ranchi Guwahati Chandigarh Mysuru Shillong Panaji Kozhikode Thrissur Udaipur Imphal Leh'
).split(' ');
const TITLES = [
  'Actor, stage and screen',
  'Actor and dancer',
  'Voice artist',
  'Theatre actor and director',
  'Character actor',
  'Stand-up comedian and actor',
  'Singer and actor',
  'Cinematographer',
  'Stage manager',
  'Casting director',
  'Dubbing artist',
  'Puppeteer',
];
const CRAFTS =
  'Kathak Bharatanatyam Kalaripayattu Horse|riding Stage|combat Mime Swimming Guitar Tabla Harmonium Yoga Boxing Juggling Improvisation Clowning Sword|fighting Motorcycle|riding Sign|language Puppetry Carnatic|singing Hindustani|singing Beatboxing Skating Archery Cooking Calligraphy Dialects Narration Lip|sync|dubbing Cold|reading'
    .split(' ')
    .map((name) => name.replaceAll('|', ' '));
const MANNERS = ['', '', '', 'Contemporary', 'Classical', 'Folk', 'Street', 'Aerial', 'Acrobatic', 'Traditional'];
const HAIR = ['Black', 'Dark brown', 'Brown', 'Grey', 'Coloured', 'Bald'];
const EYES = ['Black', 'Dark brown', 'Brown', 'Hazel', 'Green', 'Grey'];

/** Returns a name of two or three syllables. */
const generateName = ({ one, next }: ReturnType<typeof createPrng>) => {
  const text = one(ONSETS) + (next() < 0.4 ? one(ONSETS) : '') + one(ENDS);
  return text[0]!.toUpperCase() + text.slice(1);
};

export interface BoardPerson {
  name: string;
  title: string;
  city: string;
  ages: [number, number];
  industry: number;
  languages: number[];
  skills: [name: string, level: number][];
  credits: string[];
  height: number;
  hair: string;
  eyes: string;
  hasReel: boolean;
}

/** Generates the people of a full board, the same ones for the same seed. */
export function generateBoard(count: number, seed = 7): BoardPerson[] {
  const prng = createPrng(seed);
  const { next, upTo, one, often } = prng;
  const first = Array.from({ length: 1500 }, () => generateName(prng));
  const last = Array.from({ length: 3000 }, () => generateName(prng));
  const plays = Array.from(
    { length: 4000 },
    () => `${generateName(prng)} ${one(['Nights', 'Road', 'House', 'Song', 'No. 7'])}`,
  );
  const some = <T>(maxCount: number, make: () => T) => Array.from({ length: upTo(maxCount + 1) }, make);
  return Array.from({ length: count }, () => {
    const age = 8 + upTo(60);
    return {
      name: `${often(first)} ${often(last)}`,
      title: often(TITLES),
      city: often(CITIES),
      ages: [age, age + 6 + upTo(14)],
      industry: 1 + upTo(12),
      languages: [...new Set(some(3, () => 1 + Math.floor(next() ** 2 * 70)))],
      skills: some(5, () => [`${one(MANNERS)} ${often(CRAFTS)}`.trim(), 1 + upTo(3)]),
      credits: some(6, () => often(plays)),
      height: 145 + upTo(50),
      hair: often(HAIR),
      eyes: often(EYES),
      hasReel: next() < 0.3,
    };
  });
}

const BATCH_SIZE = 2000;

/**
 * Inserts people as rows, bypassing the API, and indexes them with the code of the server. @param first number of the
 * first person, where others exist already
 */
export async function insertPeople(pool: pg.Pool, people: readonly BoardPerson[], log: Log, first = 0): Promise<void> {
  for (let at = 0; at < people.length; at += BATCH_SIZE) {
    const rows = people.slice(at, at + BATCH_SIZE).map((person, n) => ({ ...person, n: first + at + n }));
    await pool.query(
      `with given as (select * from jsonb_to_recordset($1::jsonb) as each(
         n int, name text, title text, city text, ages int[], industry int, languages int[], skills jsonb, credits jsonb,
         height int, hair text, eyes text, "hasReel" boolean)),
       people as (insert into users (name, email, password_hash, slug, created_at)
         select name, 'bench' || n || '@callboard.example', '-', 'bench-' || n, now() from given returning id, slug),
       shown as (insert into profiles (user_id, profile_type_id, status, stage_name, title, location, min_age, max_age,
           industry_id, description, created_at, updated_at)
         select people.id, case when given.n % 5 = 0 then 2 else 1 end, 'active', name, title, city || ', India', ages[1], ages[2],
           industry, 'About me', now() - given.n * interval '1 hour', now() - given.n * interval '1 minute'
         from given join people on people.slug = 'bench-' || given.n returning id, user_id),
       whole as (select shown.id as profile_id, shown.user_id, given.* from given
         join people on people.slug = 'bench-' || given.n join shown on shown.user_id = people.id),
       films as (insert into media (user_id, profile_id, media_type, name, created_at, updated_at)
         select user_id, profile_id, 'video', 'Reel', now(), now() from whole where "hasReel" returning 1)
       insert into section_rows (user_id, profile_id, section, body, created_at, updated_at)
       select user_id, profile_id, section, body, now(), now() from whole, lateral (
         select 'skill', jsonb_build_object('name', each ->> 0, 'level', (each ->> 1)::int) from jsonb_array_elements(skills) each
         union all select 'experience', jsonb_build_object('experience_title', each, 'details', 'Lead', 'production_details',
           'Harbour Players') from jsonb_array_elements_text(credits) each
         union all select 'language', jsonb_build_object('language_id', each::text) from unnest(languages) each
         union all select 'attribute', jsonb_build_object('attribute_key', 'Height', 'attribute_value', height::text)
         union all select 'attribute', jsonb_build_object('attribute_key', 'Hair', 'attribute_value', hair)
         union all select 'attribute', jsonb_build_object('attribute_key', 'Eyes', 'attribute_value', eyes)
       ) rows (section, body)`,
      [JSON.stringify(rows)],
    );
  }
  await pool.query('analyze');
  const { db, close } = connect(pool.options as Parameters<typeof connect>[0], log, { maxConnections: 1 });
  while ((await indexBatch(db, 250)) > 0);
  await close();
  await pool.query('vacuum analyze');
}

/** Swaps two adjacent letters of the longest word. */
export function mistyped(text: string): string {
  const words = toWords(text);
  const longest = [...words].sort((a, b) => b.length - a.length)[0]!;
  const at = Math.floor(longest.length / 2);
  const slip = longest.slice(0, at - 1) + longest[at]! + longest[at - 1]! + longest.slice(at + 1);
  return words.map((word) => (word === longest ? slip : word)).join(' ');
}
