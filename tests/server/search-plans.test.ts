import { sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { SearchRow } from '#contract/records/search.ts';
import { indexBatch } from '#server/read-models/search/indexer.ts';
import {
  planWalk,
  readMatches,
  sortMatches,
  walkMatches,
  type MatchPlace,
  type MatchQuery,
} from '#server/read-models/search/matches.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();

const PEOPLE = 400;
const [INDIA, JUGGLERS, PUPPETEERS] = ["'m:india'", "'m:juggler'", "'m:puppeteer'"];

interface Row extends Record<string, unknown> {
  id: string;
  quality: number;
}
const COLUMNS = sql`profile_id as id, quality`;

/** Nine of ten people live in India; the half with the least content are jugglers, and one in forty is a puppeteer. */
async function addPeople(): Promise<void> {
  await testServer.database.pool.query(
    `with people as (
       insert into users (name, email, password_hash, slug, created_at)
       select 'Person ' || n, 'plan' || n || '@callboard.example', '-', 'plan-' || n, now() from generate_series(1, $1::int) n
       returning id, slug)
     insert into profiles (user_id, profile_type_id, status, stage_name, title, location, min_age, max_age, description,
       created_at, updated_at)
     select id, 1, 'active', 'Person ' || n,
       case when n % 2 = 0 then 'Juggler' when n % 40 = 1 then 'Puppeteer' end,
       case when n % 10 = 0 then 'Lisbon, Portugal' else 'Pune, India' end,
       case when n % 2 = 1 then 20 + n % 9 end, case when n % 2 = 1 then 40 end,
       case when n % 2 = 1 and n % 3 = 0 then 'About me' end, now(), now()
     from people, lateral (select substr(slug, 6)::int as n) numbered`,
    [PEOPLE],
  );
  while ((await indexBatch(testServer.database.db, 100)) > 0);
}

beforeAll(async () => {
  await addPeople();
  await testServer.database.pool.query('analyze profile_search');
});

async function readPages(read: (query: MatchQuery) => Promise<Row[]>, query: Omit<MatchQuery, 'after'>) {
  const ids: string[] = [];
  let after: MatchPlace | null = null;
  for (;;) {
    const rows = await read({ ...query, after });
    const last = rows.at(-1);
    if (last === undefined) return ids;
    ids.push(...rows.map(({ id }) => id));
    after = { quality: last.quality, id: Number(last.id) };
  }
}

test.each<[string, string[], ReturnType<typeof sql>[], number]>([
  ['everybody', [], [], 400],
  ['nearly everybody', [INDIA!], [], 360],
  ['those with the least content', [JUGGLERS!], [], 200],
  ['a few', [PUPPETEERS!], [], 10],
  ['an age', [], [sql`min_age = 25`], 22],
  ['a place and an age', [INDIA!], [sql`min_age <= 22`], 67],
])('reads %s in the same order and pages with either plan', async (_name, tokens, where, count) => {
  const { db } = testServer.database;
  const query = { tokens, where, limit: 7 };
  const sorted = await readPages((each) => sortMatches<Row>(db, COLUMNS, each), query);
  const walked = await readPages((each) => walkMatches<Row>(db, COLUMNS, each, PEOPLE), query);
  expect([sorted.length, new Set(sorted).size]).toEqual([count, count]);
  expect(walked).toEqual(sorted);
});

test('walks in order where many match and sorts where few do', async () => {
  const { db } = testServer.database;
  const plan = async (query: Pick<MatchQuery, 'tokens' | 'where'>) =>
    (await planWalk(db, { ...query, limit: 2 })) === 0 ? 'sort' : 'walk';
  expect(await plan({ tokens: [], where: [] })).toBe('walk');
  expect(await plan({ tokens: [INDIA!], where: [] })).toBe('walk');
  expect(await plan({ tokens: [PUPPETEERS!], where: [] })).toBe('sort');
  expect(await plan({ tokens: ["'n:unknown'"], where: [] })).toBe('sort');
  expect(await plan({ tokens: [INDIA!], where: [sql`min_age = 99`] })).toBe('sort');
});

test('sorts while there are no statistics', async () => {
  const { db, pool } = testServer.database;
  await pool.query(`update pg_class set reltuples = -1 where relname = 'profile_search'`);
  try {
    for (const tokens of [[], [INDIA!]]) {
      expect(await planWalk(db, { tokens, where: [], limit: 2 })).toBe(0);
    }
  } finally {
    await pool.query('analyze profile_search');
  }
});

test('fills the page when the people who match come last in order', async () => {
  const { db } = testServer.database;
  const query = { tokens: [JUGGLERS!], where: [], limit: 2 };
  const maxRead = await planWalk(db, query);
  expect(maxRead).toBeGreaterThan(0);
  expect(await walkMatches<Row>(db, COLUMNS, query, maxRead)).toEqual([]);
  expect(await readMatches<Row>(db, COLUMNS, query)).toEqual(await sortMatches<Row>(db, COLUMNS, query));
});

test('walks on past people who do not match until that has cost as much as sorting', async () => {
  const { db } = testServer.database;
  const everybody = await planWalk(db, { tokens: [], where: [], limit: 2 });
  expect(everybody / PEOPLE).toBeCloseTo(1 / 3, 2);
  // Expected to read nearly that many, it may read some more, or chance would often end it just before the page is full.
  const nearlySorted = await planWalk(db, { tokens: [INDIA!], where: [], limit: 12 });
  expect(nearlySorted).toBeGreaterThan(3 * 12);
});

test('reads only as many profiles in order as fill the page', async () => {
  const { db } = testServer.database;
  const query = { tokens: [INDIA!], where: [], limit: 3 };
  const maxRead = await planWalk(db, query);
  expect(maxRead).toBeLessThan(PEOPLE / 10);
  expect(await walkMatches<Row>(db, COLUMNS, query, maxRead)).toEqual(await sortMatches<Row>(db, COLUMNS, query));
});

test('continues the pages of one plan with the other', async () => {
  const { db } = testServer.database;
  const page = async (limit: number, cursor = '') => {
    const path = `/search?q=india&limit=${limit}${cursor && `&cursor=${cursor}`}`;
    const { body, headers } = await testServer.call<SearchRow[]>(`GET ${path}`);
    return { ids: body.map(({ id }) => id), next: headers['x-next-cursor'] };
  };
  const limits = [3, 40, 3, 40];
  const counts = limits.map((limit) => planWalk(db, { tokens: [INDIA!], where: [], limit }));
  expect((await Promise.all(counts)).map((maxRead) => maxRead > 0)).toEqual([true, false, true, false]);
  const whole = (await page(86)).ids;
  const paged: string[] = [];
  let cursor: string | undefined;
  for (const limit of limits) {
    const { ids, next } = await page(limit, cursor);
    paged.push(...ids);
    cursor = next;
  }
  expect(paged).toEqual(whole);
});
