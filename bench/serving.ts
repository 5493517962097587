import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { experience } from '#contract/sections/experience.ts';
import { makePerson, makeProfile, type Person } from '../tests/e2e/support/people.ts';
import { type AppServer, appServer } from '../tests/e2e/support/server.ts';
import { type Figure, paired } from './figures.ts';
import { openBare } from './open-bare.ts';

const CONCURRENCY = 4;
const ROWS_IN_LIST = 10;
/** Clock ticks per second in which Linux counts processor time. */
const TICKS_PER_SECOND = 100;

/** Processor time of a process in milliseconds. */
async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => {
    throw new Error('Processor time is read from /proc, which only Linux has; leave the part out with --only');
  });
  // The name in parentheses may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

interface Scene {
  person: Person;
  profileId: number;
}

interface Kind {
  name: string;
  call(scene: Scene): Promise<number>;
  wanted: number;
  /** The SQL statement that the call mainly runs. */
  query(pool: pg.Pool, scene: Scene): Promise<pg.QueryResult>;
}

const row = { ...experience.example };
const fetchAs = (url: string, { person }: Scene, path: string, init: RequestInit = {}) =>
  fetch(url + path, {
    ...init,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${person.token}`,
      'x-requested-with': 'XMLHttpRequest',
      ...(init.headers as Record<string, string> | undefined),
    },
  });
const drained = async (answer: Response) => {
  await answer.arrayBuffer();
  return answer.status;
};

const kindsOf = (url: string): Kind[] => [
  {
    name: 'profile details',
    wanted: 200,
    call: async (scene) => drained(await fetchAs(url, scene, `/profile/details/${scene.profileId}`)),
    query: (pool, { profileId }) =>
      pool.query(
        `select p.*, u.name, u.slug, t.name as type_name, t.slug as type_slug from profiles p
         join users u on u.id = p.user_id join profile_types t on t.id = p.profile_type_id where p.id = $1`,
        [profileId],
      ),
  },
  {
    name: `section list, ${ROWS_IN_LIST} credits`,
    wanted: 200,
    call: async (scene) => drained(await fetchAs(url, scene, `/profile/experiences/${scene.profileId}`)),
    query: (pool, { profileId }) =>
      pool.query(
        `select * from section_rows where profile_id = $1 and section = 'experience' order by created_at desc, id desc`,
        [profileId],
      ),
  },
  {
    name: 'section create',
    wanted: 201,
    call: async (scene) =>
      drained(
        await fetchAs(url, scene, '/profile/experience', {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
          body: JSON.stringify({ ...row, profile_id: scene.profileId, client_id: randomUUID() }),
        }),
      ),
    query: (pool, { person, profileId }) =>
      pool.query(
        `insert into section_rows (user_id, profile_id, section, body, client_id, created_at, updated_at)
         values ($1, $2, 'bare', $3, $4, now(), now()) returning *`,
        [person.id, profileId, row, randomUUID()],
      ),
  },
];

/** Runs a fixed number of requests concurrently, like several devices. */
async function repeat(count: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const places = Array.from({ length: CONCURRENCY }, async () => {
    while (left > 0) {
      left -= 1;
      await work();
    }
  });
  await Promise.all(places);
}

async function setScene(server: AppServer): Promise<Scene> {
  const person = await makePerson(server.url);
  const profileId = Number((await makeProfile(person)).id);
  for (let n = 0; n < ROWS_IN_LIST; n += 1) {
    await person.call('POST', '/profile/experience', { ...row, profile_id: profileId });
  }
  return { person, profileId };
}

/**
 * Measures the processor time of the server process per request, against that of this process for the bare query with
 * `pg` on the same database. Neither includes PostgreSQL itself.
 */
export async function measureServing({ runs, count }: { runs: number; count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const pool = await openBare(server, CONCURRENCY);
  const kinds = kindsOf(server.url).map((kind) => ({ ...kind, ours: [] as number[], bare: [] as number[] }));
  try {
    // The first round is a warm-up. Each round has its own person, because a profile has a row limit.
    for (let run = -1; run < runs; run += 1) {
      for (const kind of kinds) {
        const scene = await setScene(server);
        const before = await cpuMs(server.pid());
        await repeat(count, async () => {
          const status = await kind.call(scene);
          if (status !== kind.wanted) throw new Error(`${kind.name} was answered ${status}`);
        });
        const ours = ((await cpuMs(server.pid())) - before) / count;
        const own = process.cpuUsage();
        await repeat(count, async () => {
          await kind.query(pool, scene);
        });
        const { user, system } = process.cpuUsage(own);
        if (run < 0) continue;
        kind.ours.push(ours);
        kind.bare.push((user + system) / 1000 / count);
      }
    }
  } finally {
    await pool.end();
    await server.dispose();
  }
  return kinds.map(({ name, ours, bare }) => ({
    part: 'Processor time of the server for one request',
    name,
    unit: 'ms',
    ...paired(ours, { name: 'bare query', runs: bare }),
  }));
}
