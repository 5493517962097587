import { setTimeout as pause } from 'node:timers/promises';
import { inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { LOCK } from '#server/platform/db/advisory-locks.ts';
import { users } from '#server/platform/db/schema.ts';
import { DEMO_AUDITION } from './audition.ts';
import { CROWD, CROWD_SAVED, CROWD_CONNECTIONS } from './crowd.ts';
import { DemoMaker } from './maker.ts';
import { DEMO_PEOPLE, DEMO_SAVED, DEMO_CONNECTIONS } from './people.ts';
import type { DemoPerson } from './person.ts';

/** Fixed and printed at every start with demo data; it protects nothing. */
export const DEMO_SIGN_IN = { email: 'meera@callboard.example', password: 'curtain up at eight' };

const CONNECTIONS = [...DEMO_CONNECTIONS, ...CROWD_CONNECTIONS];
const SAVED = [...DEMO_SAVED, ...CROWD_SAVED];
const EVERYONE = [...DEMO_PEOPLE, ...CROWD];
const CREATION_ORDER = new Map(EVERYONE.map(({ email }, at) => [email, at]));

/** Pause between people, which leaves the CPU to the first page loads. */
const PAUSE_MS = 100;

/** Records of a pair are created together with the later person of the two. */
const isMadeWith = (at: number, ...emails: string[]) =>
  Math.max(...emails.map((email) => CREATION_ORDER.get(email) ?? -1)) === at;

function makeOne(maker: DemoMaker, person: DemoPerson): Promise<void> {
  const at = CREATION_ORDER.get(person.email) ?? -1;
  return maker.make(
    person,
    CONNECTIONS.filter(({ from, to }) => isMadeWith(at, from, to)),
    SAVED.filter(({ by, whose }) => isMadeWith(at, by, whose)),
  );
}

async function hasAnyDemoPerson(app: FastifyInstance, people: readonly DemoPerson[]): Promise<boolean> {
  const emails = people.map(({ email }) => email);
  const { db } = app.deps;
  return (await db.select({ id: users.id }).from(users).where(inArray(users.email, emails)).limit(1)).length > 0;
}

/** Whether the database may hold the demo: it is empty or contains the demo account. */
async function isDemoStore(app: FastifyInstance): Promise<boolean> {
  const { db } = app.deps;
  const [anyone] = await db.select({ id: users.id }).from(users).limit(1);
  if (anyone === undefined) return true;
  return hasAnyDemoPerson(app, DEMO_PEOPLE.slice(0, 1));
}

/**
 * Creates the demo account and its closest contacts in an empty database; resumes after an interrupted run.
 * @returns whether the demo exists; false if the database holds other data
 */
export async function seedDemo(app: FastifyInstance): Promise<boolean> {
  if (!(await isDemoStore(app))) return false;
  if (await hasAnyDemoPerson(app, CROWD)) return true;
  const maker = new DemoMaker(app, DEMO_SIGN_IN.password);
  const made = await maker.countMade(DEMO_PEOPLE);
  for (const person of DEMO_PEOPLE.slice(made)) await makeOne(maker, person);
  await maker.leave();
  return true;
}

/**
 * Creates the remaining demo people one by one while the server is already running. No person is created twice: a later run resumes
 * an interrupted one, and of two servers on one database only one creates them.
 * @param pool of the server's database
 * @param signal stops before the next call
 * @param people all of them, or the first few
 */
export async function seedCrowd(
  app: FastifyInstance,
  pool: pg.Pool,
  signal?: AbortSignal,
  people: readonly DemoPerson[] = CROWD,
): Promise<void> {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ is_mine: boolean }>('select pg_try_advisory_lock($1) as is_mine', [
      LOCK.demo,
    ]);
    if (rows[0]?.is_mine !== true) return;
    try {
      await makeCrowd(new DemoMaker(app, DEMO_SIGN_IN.password, signal), people, signal);
    } finally {
      await client.query('select pg_advisory_unlock($1)', [LOCK.demo]);
    }
  } finally {
    client.release();
  }
}

async function makeCrowd(maker: DemoMaker, people: readonly DemoPerson[], signal?: AbortSignal): Promise<void> {
  try {
    const made = await maker.countMade(people);
    // Later, the visitor may have changed them.
    if (made === 0) {
      for (const person of DEMO_PEOPLE) await maker.addLater(person);
      await maker.addAudition(DEMO_AUDITION, DEMO_SIGN_IN.email);
    }
    for (const person of people.slice(made)) {
      await pause(PAUSE_MS, undefined, { ...(signal && { signal }) });
      await makeOne(maker, person);
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  } finally {
    await maker.leave();
  }
}
