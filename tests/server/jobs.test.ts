import pg from 'pg';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { jobHandlers } from '#server/jobs.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { describeFailure, JobError } from '#server/platform/jobs/failure.ts';
import { dropJob, listFailedJobs, retryJob } from '#server/platform/jobs/failed.ts';
import { handleJob, type JobHandler } from '#server/platform/jobs/handlers.ts';
import { defineJob } from '#server/platform/jobs/kinds.ts';
import { runDueJobs, startJobs } from '#server/platform/jobs/worker.ts';
import type { Log } from '#server/platform/log.ts';
import { quietLog } from './support/quiet.ts';
import { TEST_HOME, useTestServer } from './support/test-server.ts';

const HOUR_MS = 3_600_000;
const testServer = useTestServer();

const GREET = defineJob({ name: 'test.greet', payload: z.object({ user: z.int() }), tries: 2 });

/** A log that keeps what it is told. */
function openMemoryLog() {
  const entries: { level: string; entry: unknown }[] = [];
  const keep = (level: string) => (entry: unknown) => void entries.push({ level, entry });
  const log = { debug: () => {}, info: keep('info'), warn: keep('warn'), error: keep('error') } as unknown as Log;
  return { log, entries };
}

const add = (user: number, options?: Parameters<typeof addJob>[3]) =>
  testServer.database.db.transaction((tx) => addJob(tx, GREET, { user }, options));
const runAll = (handlers: JobHandler[], log: Log = quietLog) => runDueJobs(testServer.database.pool, { handlers, log });
/** The handlers of the server. */
const getHandlers = () =>
  jobHandlers(testServer.app.deps, { mailer: { send: async () => {}, close: () => {} }, home: TEST_HOME });
/** Makes retries due at once. */
const skipPause = () =>
  testServer.database.pool.query(
    `select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs where attempts < max_attempts), run_at => now())`,
  );

/** Does the jobs and returns whom they greeted. */
async function greetAll(): Promise<number[]> {
  const greeted: number[] = [];
  await runAll([handleJob(GREET, async ({ user }) => void greeted.push(user))]);
  return greeted;
}

test('exists exactly when its transaction commits', async () => {
  await add(1);
  const failing = testServer.database.db.transaction(async (tx) => {
    await addJob(tx, GREET, { user: 2 });
    throw new Error('The transaction fails');
  });
  await expect(failing).rejects.toThrow('The transaction fails');
  expect(await greetAll()).toEqual([1]);
  expect(await greetAll()).toEqual([]);
});

test('waits for its time, and is one with others of its key', async () => {
  await add(3, { delayMs: HOUR_MS });
  expect(await greetAll()).toEqual([]);
  await skipPause();
  await add(4, { key: 'greet' });
  await add(5, { key: 'greet' });
  expect((await greetAll()).sort()).toEqual([3, 5]);
});

test('is tried again after a failure, and stores and logs no words of the error', async () => {
  const secret = 'ila@callboard.example';
  await add(6);
  const { log, entries } = openMemoryLog();
  const failing = handleJob(GREET, () => Promise.reject(new TypeError(`Cannot greet ${secret}`)));
  await runAll([failing], log);
  const [waiting] = await listFailedJobs(testServer.database.db);
  expect(waiting).toMatchObject({ name: 'test.greet', tries: 1, maxTries: 2 });
  expect(waiting?.nextAt).not.toBeNull();
  expect(JSON.parse(waiting!.failure)).toEqual({
    code: 'TypeError',
    hint: expect.stringMatching(/^jobs\.test\.ts:\d+$/) as string,
  });

  await skipPause();
  await runAll([failing], log);
  expect(entries.map(({ level }) => level)).toEqual(['warn', 'error']);
  expect(JSON.stringify(entries)).not.toContain('Cannot greet');
  const stored = await testServer.database.pool.query('select * from graphile_worker.jobs');
  expect(JSON.stringify(stored.rows)).not.toContain(secret);
  expect(await greetAll()).toEqual([]);

  const [dead] = await listFailedJobs(testServer.database.db);
  expect(dead).toMatchObject({ tries: 2, nextAt: null });
  expect(await retryJob(testServer.database.db, dead!.id)).toBe(true);
  expect(await greetAll()).toEqual([6]);
  expect(await listFailedJobs(testServer.database.db)).toEqual([]);
});

test('can be dropped by the operator', async () => {
  await add(7);
  await runAll([handleJob(GREET, () => Promise.reject(new JobError('550', 'the address is refused')))]);
  const { db } = testServer.database;
  const [failed] = await listFailedJobs(db);
  expect(JSON.parse(failed!.failure)).toEqual({ code: '550', hint: 'the address is refused' });
  expect([await dropJob(db, failed!.id), await dropJob(db, failed!.id), await retryJob(db, failed!.id)]).toEqual([
    true,
    false,
    false,
  ]);
  await skipPause();
  expect(await greetAll()).toEqual([]);
});

test('fails when its payload has another shape', async () => {
  await testServer.database.pool.query(`select graphile_worker.add_job('test.greet', '{"user": "eight"}')`);
  expect(await greetAll()).toEqual([]);
  const [failed] = await listFailedJobs(testServer.database.db);
  expect(failed?.name).toBe('test.greet');
  await dropJob(testServer.database.db, failed!.id);
});

test.each([
  ['a refused constraint', () => testServer.database.pool.query('insert into job_workers values (null, 1)'), '23502'],
  ['a lost connection', () => new pg.Client({ host: '127.0.0.1', port: 1 }).connect(), 'ECONNREFUSED'],
  ['something that is no error', () => Promise.reject('no' as unknown as Error), 'unknown'],
])('describes %s by its code', async (_, work, code) => {
  const error = await work().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(describeFailure(error).code).toBe(code);
});

test('does every scheduled job of the server on a new database', async () => {
  const scheduled = getHandlers().filter(({ schedule }) => schedule !== undefined);
  expect(scheduled.length).toBeGreaterThan(5);
  for (const { name, run } of scheduled) {
    await expect(run({}, { attempt: 1, signal: undefined }), name).resolves.not.toThrow();
  }
});

test('removes everything that has expired, more than fits into one batch', async () => {
  const { pool } = testServer.database;
  const person = await testServer.join();
  const old = new Date(testServer.clock.now().getTime() - 400 * 24 * HOUR_MS);
  const count = async (table: string) =>
    (await pool.query<{ n: number }>(`select count(*)::int as n from ${table} where user_id = $1`, [person.id]))
      .rows[0]!.n;
  const insert = (text: string) => pool.query(text, [person.id, old]);
  await insert(`insert into sessions (user_id, token_hash, device, created_at, last_seen_at)
    select $1::bigint, 'old ' || n, 'An old phone', $2::timestamptz, $2::timestamptz from generate_series(1, 1200) n`);
  await insert(`insert into known_networks (user_id, network_hash, last_used_at)
    select $1::bigint, 'old ' || n, $2::timestamptz from generate_series(1, 2500) n`);
  await insert(`insert into idempotency_keys (user_id, key, fingerprint, status, headers, body, created_at)
    select $1::bigint, gen_random_uuid(), '', 200, '{}', '', $2::timestamptz from generate_series(1, 2500) n`);
  for (const { run, schedule } of getHandlers()) {
    if (schedule !== undefined) await run({}, { attempt: 1, signal: undefined });
  }
  expect([await count('sessions'), await count('known_networks'), await count('idempotency_keys')]).toEqual([1, 0, 0]);
});

test('goes on under a new number when the server loses its connection', async () => {
  const { pool, connection } = testServer.database;
  const greeted: number[] = [];
  const { log, entries } = openMemoryLog();
  const handlers = [handleJob(GREET, async ({ user }) => void greeted.push(user))];
  const jobs = startJobs(connection, { handlers, log });
  try {
    const getNodes = async () => {
      const { rows } = await pool.query<{ node: number }>('select distinct node from job_workers');
      return rows.map(({ node }) => node);
    };
    await expect.poll(getNodes, { timeout: 10_000 }).toHaveLength(1);
    const [first] = await getNodes();
    await add(9);
    await vi.waitFor(() => expect(greeted).toEqual([9]), 10_000);
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'callboard jobs'`,
    );
    await expect.poll(getNodes, { timeout: 15_000 }).not.toContain(first);
    await add(10);
    await vi.waitFor(() => expect(greeted).toEqual([9, 10]), 10_000);
    expect(entries.filter(({ level }) => level === 'error')).toEqual([]);
  } finally {
    await jobs.stop();
  }
  expect((await pool.query('select * from job_workers')).rows).toEqual([]);
});
