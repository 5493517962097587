import type pg from 'pg';
import { pino } from 'pino';
import { makePerson, makeProfile, type Person } from '../tests/e2e/support/people.ts';
import { type AppServer, appServer } from '../tests/e2e/support/server.ts';
import { type BoardPerson, generateBoard, createPrng, insertPeople, mistyped } from './generated-board.ts';
import { atMost, type Figure, percentile, paired, timed } from './figures.ts';
import { openBare } from './open-bare.ts';

const quiet = pino({ level: 'silent' });
const QUERIES = 50;
const CALLERS = 10;

/** Kinds of queries. No query is repeated within a run. */
const WAYS: ((person: BoardPerson, cut: number) => Record<string, string>)[] = [
  ({ name }) => ({ q: name }),
  ({ name }) => ({ q: mistyped(name) }),
  ({ name }, cut) => ({ q: name.slice(0, 3 + (cut % 4)), limit: '6' }),
  ({ city }) => ({ q: `actor ${city}` }),
  ({ title, skills }) => ({ q: `${title} ${skills[0]?.[0] ?? 'mime'}` }),
  ({ credits }) => ({ q: mistyped(credits[0] ?? 'kathakali song') }),
  ({ city, ages }) => ({ q: 'actor', location: city, min_age: String(ages[0]), max_age: String(ages[1]) }),
  ({ industry, languages }) => ({ industry: String(industry), language: String(languages[0] ?? 11), reel: '1' }),
  ({ skills, city, hair }) => ({ skill: mistyped(skills[0]?.[0] ?? 'puppetry'), location: mistyped(city), hair }),
  ({ height, eyes, ages }) => ({
    min_height: String(height - 5),
    max_height: String(height),
    eyes,
    age: String(ages[0]),
  }),
];

/** Queries that match a large part of the board. */
const BROAD = [
  '',
  'q=india',
  'q=actor',
  'q=a',
  'q=actor&location=Mumbai',
  'type=actor-performer',
  'reel=1',
  'language=1',
  'active=1',
  'min_age=20&max_age=40',
];

/** The queries of one run, the same for the same run number. */
export const getQueries = (people: readonly BoardPerson[], run: number) => {
  const { one } = createPrng(100 + run);
  return Array.from({ length: QUERIES }, (_, at) => new URLSearchParams(WAYS[at % WAYS.length]!(one(people), at)));
};

async function ask(server: AppServer, path: string, token?: string): Promise<unknown[]> {
  const answer = await fetch(server.url + path, {
    headers: {
      accept: 'application/json',
      'x-requested-with': 'XMLHttpRequest',
      ...(token && { authorization: `Bearer ${token}` }),
    },
  });
  if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as unknown[];
}

/** Adds callers with many connections to people who have many connections as well. */
async function makeCallers(server: AppServer, pool: pg.Pool): Promise<Person[]> {
  await pool.query(
    `insert into connections (sender_id, receiver_id, status, created_at, updated_at)
     select least(one, other), greatest(one, other), 'accepted', now(), now() from (
       select 1 + (n::bigint * 7919) % 4000 as one, 1 + (n::bigint * 104729) % 4000 as other from generate_series(1, 120000) n) pairs
     join users a on a.id = one join users b on b.id = other where one <> other on conflict do nothing`,
  );
  const callers: Person[] = [];
  for (let at = 0; at < CALLERS; at += 1) {
    const person = await makePerson(server.url);
    await makeProfile(person, { location: 'Mumbai, India', profile_industry_id: String(1 + at) });
    await pool.query(
      `insert into connections (sender_id, receiver_id, status, created_at, updated_at)
       select id, $1, 'accepted', now(), now() from users where id <= 4000 and id % 40 = $2 on conflict do nothing`,
      [person.id, at],
    );
    callers.push(person);
  }
  return callers;
}

/**
 * Measures searches over a full board by HTTP right after a restart of the server and its database, so that no cache is
 * warm. No query is repeated. Each is beside a bare read of one row by its key over one connection.
 */
export async function measureSearching({ runs, count }: { runs: number; count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const people = generateBoard(count);
  const found: number[] = [];
  const searches = { ours: [] as number[], bare: [] as number[] };
  const broad = { ours: [] as number[], bare: [] as number[] };
  const suggestions = { ours: [] as number[], bare: [] as number[] };
  try {
    let pool = await openBare(server);
    await insertPeople(pool, people, quiet);
    const callers = await makeCallers(server, pool);
    await pool.query('vacuum analyze');
    for (let run = 0; run < runs; run += 1) {
      await pool.end();
      await server.stop();
      await server.start();
      pool = await openBare(server);
      const { upTo } = createPrng(run);
      const bare = () => timed(() => pool.query('select * from profiles where id = $1', [1 + upTo(count)]));
      const times = { search: [] as number[], broad: [] as number[], key: [] as number[], suggested: [] as number[] };
      for (const [at, query] of getQueries(people, run).entries()) {
        times.key.push(await bare());
        const { token } = callers[at % CALLERS]!;
        times.search.push(await timed(async () => found.push((await ask(server, `/search?${query}`, token)).length)));
      }
      for (const [at, query] of BROAD.entries()) {
        const { token } = callers[at % CALLERS]!;
        times.broad.push(await timed(async () => found.push((await ask(server, `/search?${query}`, token)).length)));
      }
      for (const { token } of callers) {
        times.suggested.push(await timed(() => ask(server, '/connections/suggested', token)));
      }
      const p95 = (values: number[]) => percentile(values, 0.95);
      searches.ours.push(p95(times.search));
      searches.bare.push(p95(times.key));
      broad.ours.push(p95(times.broad));
      broad.bare.push(p95(times.key));
      suggestions.ours.push(p95(times.suggested));
      suggestions.bare.push(p95(times.key));
    }
    await pool.end();
  } finally {
    await server.dispose();
  }
  if (found.filter((rows) => rows > 0).length < found.length * 0.8) throw new Error('Too many searches found nobody');
  const part = `Searching ${count.toLocaleString('en')} profiles, nothing warm`;
  const peer = (bare: number[]) => ({ name: 'one row by its key, p95', runs: bare });
  return [
    {
      part,
      name: `${QUERIES} different searches, slips and filters, p95`,
      unit: 'ms',
      ...paired(searches.ours, peer(searches.bare)),
      bar: atMost(50),
    },
    {
      part,
      name: `${BROAD.length} searches that match many, p95`,
      unit: 'ms',
      ...paired(broad.ours, peer(broad.bare)),
      bar: atMost(50),
    },
    {
      part,
      name: 'suggestions to who knows a hundred people, p95',
      unit: 'ms',
      ...paired(suggestions.ours, peer(suggestions.bare)),
      bar: atMost(50),
    },
  ];
}
