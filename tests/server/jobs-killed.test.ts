import { afterEach, beforeAll, expect, test } from 'vitest';
import { useProcesses } from './support/processes.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();
const processes = useProcesses('job-process.ts');
const { kill } = processes;
const start = (durationMs: number) =>
  processes.start({ CONNECTION: JSON.stringify(testServer.database.connection), DURATION_MS: String(durationMs) });

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await testServer.database.pool.query<Row>(text, values)).rows;
async function addSteps(count: number): Promise<void> {
  await query(`insert into steps select n, 0, 0 from generate_series(1, $1::int) n`, [count]);
  await query(`select graphile_worker.add_job('test.step', json_build_object('step', step)) from steps`);
}
const count = async (which: string) =>
  (await query<{ n: number }>(`select count(*)::int as n from steps where ${which}`))[0]!.n;

beforeAll(async () => {
  await query('create table steps (step int primary key, started int not null, ended int not null)');
});
afterEach(async () => {
  await processes.killAll();
  await query('truncate steps');
});

test('another server goes on at once with the jobs of a killed one, and does the others once', async () => {
  await addSteps(1);
  const first = start(3_600_000);
  await expect.poll(() => count('started = 1'), { timeout: 20_000 }).toBe(1);
  start(0);
  await expect.poll(() => query('select distinct node from job_workers'), { timeout: 20_000 }).toHaveLength(2);
  await kill(first);
  await expect.poll(() => count('ended = 1'), { timeout: 20_000 }).toBe(1);
  expect(await query('select started, ended from steps')).toEqual([{ started: 2, ended: 1 }]);
  await expect.poll(() => query('select distinct node from job_workers'), { timeout: 5000 }).toHaveLength(1);
}, 60_000);

test('a job whose last try was cut short by a kill is tried again', async () => {
  await addSteps(1);
  await query('select graphile_worker.reschedule_jobs(array(select id from graphile_worker.jobs), max_attempts => 1)');
  const first = start(3_600_000);
  await expect.poll(() => count('started = 1'), { timeout: 20_000 }).toBe(1);
  await kill(first);
  start(0);
  await expect.poll(() => count('ended = 1'), { timeout: 20_000 }).toBe(1);
  await expect.poll(() => query('select 1 from graphile_worker.jobs'), { timeout: 10_000 }).toEqual([]);
}, 60_000);

const JOBS = process.env.FULL ? 2000 : 50;
const JOBS_PER_KILL = 10;

test(`servers that are killed every ${JOBS_PER_KILL} jobs lose none of ${JOBS}`, async () => {
  await addSteps(JOBS);
  const servers = [start(50), start(50)];
  let kills = 0;
  while ((await count('started = 0')) > JOBS_PER_KILL) {
    const before = await count('started > 0');
    await expect
      .poll(() => count('started > 0'), { timeout: 30_000, interval: 10 })
      .toBeGreaterThanOrEqual(before + JOBS_PER_KILL);
    // Hits the server in the middle of up to four jobs.
    await kill(servers.shift()!);
    servers.push(start(50));
    kills += 1;
  }
  await expect.poll(() => count('ended = 0'), { timeout: 60_000 }).toBe(0);
  await expect.poll(() => query('select 1 from graphile_worker.jobs'), { timeout: 10_000 }).toEqual([]);
  expect(kills).toBeGreaterThanOrEqual(JOBS / JOBS_PER_KILL / 2);
}, 900_000);
