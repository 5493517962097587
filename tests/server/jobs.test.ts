import { expect, test } from 'vitest';
import { claimRun, type Job, runJobs } from '#server/platform/jobs.ts';
import { cleanupJobs } from '#server/cleanup-jobs.ts';
import { quietLog } from './support/quiet.ts';
import { useTestServer } from './support/test-server.ts';

const HOUR_MS = 3_600_000;
const testServer = useTestServer();
const parts = () => ({ db: testServer.database.db, clock: testServer.clock, log: quietLog });

test('logs a failing job by name and runs the others', async () => {
  const done: string[] = [];
  const errors: unknown[] = [];
  const jobs: Job[] = [
    { name: 'first', run: async () => done.push('first') },
    { name: 'broken', run: () => Promise.reject(new Error('No such table')) },
    { name: 'last', run: async () => done.push('last') },
  ];
  const log = { ...quietLog, error: (...args: unknown[]) => void errors.push(args[0]) };
  await runJobs(jobs, HOUR_MS, { ...parts(), log });
  expect(done).toEqual(['first', 'last']);
  expect(errors).toMatchObject([{ job: 'broken', err: { message: 'No such table' } }]);
});

test('runs a shared job on one node and a per-node job on each', async () => {
  let [shared, own] = [0, 0];
  const jobs: Job[] = [
    { name: 'shared', run: async () => (shared += 1) },
    { name: 'own', runsOnEveryNode: true, run: async () => (own += 1) },
  ];
  const round = () => Promise.all([1, 2, 3].map(() => runJobs(jobs, HOUR_MS, parts())));
  await round();
  expect([shared, own]).toEqual([1, 3]);
  testServer.clock.advance(HOUR_MS / 2);
  await round();
  expect([shared, own]).toEqual([1, 6]);
  testServer.clock.advance(HOUR_MS / 2);
  await round();
  expect([shared, own]).toEqual([2, 9]);
});

test('ignores a claim that a wrong clock dated in the future', async () => {
  const { db } = testServer.database;
  const now = testServer.clock.now();
  expect(await claimRun(db, 'wrong clock', HOUR_MS, new Date(now.getTime() + 30 * HOUR_MS))).toBe(true);
  expect(await claimRun(db, 'wrong clock', HOUR_MS, now)).toBe(true);
  expect(await claimRun(db, 'wrong clock', HOUR_MS, now)).toBe(false);
});

test('runs every cleanup job on a new database', async () => {
  const errors: unknown[] = [];
  const log = { ...quietLog, error: (...args: unknown[]) => void errors.push(args) };
  await runJobs(cleanupJobs(testServer.app.deps), HOUR_MS, { ...parts(), log });
  expect(errors).toEqual([]);
});

test('removes everything that has expired, more than fits into one batch', async () => {
  const { pool } = testServer.database;
  const person = await testServer.join();
  const old = new Date(testServer.clock.now().getTime() - 400 * 24 * HOUR_MS);
  const count = async (table: string) =>
    (await pool.query<{ n: number }>(`select count(*)::int as n from ${table} where user_id = $1`, [person.id]))
      .rows[0]!.n;
  const add = (text: string) => pool.query(text, [person.id, old]);
  await add(`insert into sessions (user_id, token_hash, device, created_at, last_seen_at)
    select $1::bigint, 'old ' || n, 'An old phone', $2::timestamptz, $2::timestamptz from generate_series(1, 1200) n`);
  await add(`insert into known_networks (user_id, network_hash, last_used_at)
    select $1::bigint, 'old ' || n, $2::timestamptz from generate_series(1, 2500) n`);
  await add(`insert into idempotency_keys (user_id, key, fingerprint, status, headers, body, created_at)
    select $1::bigint, gen_random_uuid(), '', 200, '{}', '', $2::timestamptz from generate_series(1, 2500) n`);
  for (const { run } of cleanupJobs(testServer.app.deps)) await run(testServer.clock.now());
  expect([await count('sessions'), await count('known_networks'), await count('idempotency_keys')]).toEqual([1, 0, 0]);
});
