import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { connect } from '#server/platform/db/connect.ts';
import { jobHandlers } from '#server/jobs.ts';
import { runDueJobs } from '#server/platform/jobs/worker.ts';
import { DatabaseCounts } from '#server/platform/metrics/counts.ts';
import { serveMetrics, type MetricsServer } from '#server/platform/metrics/serve.ts';
import { createMetrics } from '#server/platform/metrics/metrics.ts';
import { DEPLOY } from './support/compose.ts';
import { quietLog } from './support/quiet.ts';
import { callServer, startServer } from './support/server-process.ts';
import { openTestServer, TEST_HOME, useTestServer } from './support/test-server.ts';

const testServer = useTestServer({ env: { RATE_LIMIT_SCALE: '0.2' } });
const opened: MetricsServer[] = [];
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const TASKS = ['mail.send', 'account.erase'];

async function open(metrics = createMetrics()): Promise<MetricsServer> {
  const { connection } = testServer.database;
  const server = await serveMetrics({ port: 0, host: '127.0.0.1' }, metrics, {
    connection,
    tasks: TASKS,
    log: quietLog,
  });
  opened.push(server);
  await server.counts.count();
  return server;
}

async function findFreePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const scrape = async ({ port }: MetricsServer) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
/** The value of one line, whose labels are written as Prometheus prints them. */
const read = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length + 1) ?? NaN,
  );

describe('GET /metrics', () => {
  test('is served by the process on its own port, and only there', async () => {
    const server = await open();
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(await answer.text()).toContain('# TYPE callboard_http_seconds histogram');
    expect((await fetch(`http://127.0.0.1:${server.port}/config`)).status).toBe(404);
    expect((await testServer.call('GET /metrics')).status).toBe(404);
  });

  test('counts requests by the pattern of their route, and never by what was sent', async () => {
    const { registry } = testServer.app.deps.metrics;
    registry.resetMetrics();
    const { token } = await testServer.join();
    for (const id of ['1', '2', 'secret']) await testServer.call(`GET /profile/details/${id}`, { token });
    await testServer.call('GET /nowhere/secret');
    const text = await registry.metrics();
    const count = (route: string, status: number) =>
      read(text, `callboard_http_seconds_count{method="GET",route="${route}",status="${status}"}`);
    expect([count('/profile/details/:id', 404), count('(none)', 404)]).toEqual([3, 1]);
    expect(text).not.toContain('secret');
    // Ten bounds of ours and infinity.
    const bounds = [...text.matchAll(/callboard_http_seconds_bucket\{le="([^"]+)",method="GET",route="\(none\)"/g)];
    expect(bounds).toHaveLength(11);
  });

  test('counts sign-ins, refusals by limits and mails by what became of them', async () => {
    const { metrics } = testServer.app.deps;
    const person = await testServer.join();
    const signIn = (password: string) => testServer.call('POST /login', { body: { email: person.email, password } });
    // A fifth of ten.
    for (const password of [person.password, 'a guess', 'a guess', 'a guess']) await signIn(password);
    await testServer.runJobs();
    const text = await metrics.registry.metrics();
    const signIns = ['ok', 'wrong', 'limited'].map((result) =>
      read(text, `callboard_sign_ins_total{method="password",result="${result}"}`),
    );
    expect(signIns).toEqual([1, 2, 1]);
    expect(read(text, 'callboard_limited_total{limit="signin.account_network"}')).toBe(1);
    expect(read(text, 'callboard_mails_total{kind="signin.new",result="sent"}')).toBe(1);
  });

  test('measures jobs by their result', async () => {
    const metrics = createMetrics();
    const { database, app } = testServer;
    const failing = { send: () => Promise.reject(new Error('no')), close: () => {} };
    await testServer.call('POST /password/forgot', { body: { email: (await testServer.join()).email } });
    const handlers = jobHandlers({ ...app.deps, metrics }, { mailer: failing, home: TEST_HOME });
    await runDueJobs(database.pool, { handlers, metrics, log: quietLog });
    const text = await metrics.registry.metrics();
    expect(read(text, 'callboard_job_seconds_count{task="mail.send",result="failed"}')).toBe(1);
    expect(read(text, 'callboard_mails_total{kind="reset",result="failed"}')).toBe(1);
  });

  test('shows the queue, waiting mails and unsent changes of the database', async () => {
    const { pool } = testServer.database;
    await pool.query('delete from mails');
    await pool.query('select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))');
    const person = await testServer.join();
    await testServer.call('GET /user', { token: person.token, headers: { 'x-pending': '3' } });
    await pool.query(
      `update sessions set last_seen_at = now() - interval '2 hours', pending_since = now() - interval '3 days' where pending > 0`,
    );
    await pool.query(
      `insert into mails (kind, message_id, state, last_code, created_at) values
         ('verify', 'm-a', 'queued', 'EAUTH 535', now()), ('verify', 'm-b', 'queued', null, now())`,
    );
    for (const task of ['mail.send', 'a.job.of.tomorrow']) {
      await pool.query(`select graphile_worker.add_job($1, '{}', run_at => now() - interval '90 seconds')`, [task]);
    }
    const text = await scrape(await open());
    expect(read(text, 'callboard_unsent_devices{heard="earlier"}')).toBe(1);
    expect(read(text, 'callboard_unsent_devices{heard="recently"}')).toBe(0);
    const days = read(text, 'callboard_unsent_oldest_seconds{heard="earlier"}') / 86_400;
    expect(days).toBeGreaterThan(2.99);
    expect(days).toBeLessThan(3.01);
    expect(read(text, 'callboard_mail_trouble')).toBe(1);
    expect(read(text, 'callboard_jobs{task="mail.send",state="waiting"}')).toBe(1);
    expect(read(text, 'callboard_jobs{task="other",state="waiting"}')).toBe(1);
    expect(read(text, 'callboard_job_oldest_seconds{task="mail.send"}')).toBeGreaterThanOrEqual(90);
    expect(text).not.toContain('tomorrow');
  });

  test('counts the database on one node only, and on another when that is gone', async () => {
    const [one, two] = [await open(), await open()];
    expect(await scrape(one)).toContain('callboard_unsent_devices');
    expect(await scrape(two)).not.toContain('callboard_unsent_devices');
    opened.splice(opened.indexOf(one), 1);
    await one.close();
    // PostgreSQL notices the end of a connection a moment later.
    await expect
      .poll(async () => {
        await two.counts.count();
        return scrape(two);
      })
      .toContain('callboard_unsent_devices');
  });

  test('shows how long requests wait for a database connection', async () => {
    const waits: number[] = [];

    const { connection } = testServer.database;
    const one = connect(connection, quietLog, { maxConnections: 1, onWait: (seconds) => waits.push(seconds) });
    const held = one.pool.connect();
    const asked = one.pool.query('select 1');
    await wait(60);
    (await held).release();
    await asked;
    await one.db.transaction(async () => undefined);
    await one.close();
    expect(waits).toHaveLength(3);
    expect(waits[1]).toBeGreaterThan(0.05);
  });
});

test('are those of the running server, with its jobs, connections and database', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-metrics-'));
  const port = await findFreePort();
  const server = await startServer({ DATA_DIR: dataDir, METRICS_PORT: String(port) });
  try {
    const body = { name: 'Ila Deshpande', email: 'ila@callboard.example', password: 'the ghost light stays on' };
    expect((await callServer(server.url, 'POST /register', { body })).status).toBe(201);
    const get = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    // The mail that confirms the address is sent by a job.
    await expect
      .poll(async () => read(await get(), 'callboard_mails_total{kind="verify",result="sent"}'), { timeout: 20_000 })
      .toBe(1);
    const text = await get();
    expect(read(text, 'callboard_job_seconds_count{task="mail.send",result="done"}')).toBe(1);
    expect(read(text, 'callboard_http_seconds_count{method="POST",route="/register",status="201"}')).toBe(1);
    expect(read(text, 'callboard_db_wait_seconds_count')).toBeGreaterThan(1);
    expect(read(text, 'callboard_db_pool{state="idle"}')).toBeGreaterThan(0);
    expect(read(text, 'callboard_unsent_devices{heard="recently"}')).toBe(0);
    expect(read(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6);
  } finally {
    expect(await server.end('SIGTERM')).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('measure the oldest unsent change from the hour that the device says', async () => {
  const server = await openTestServer();
  const { token, id } = await server.join();
  const { pool, connection } = server.database;
  const headers = { 'x-pending': '1', 'x-pending-detail': 'edit=1;since=2026-11-21T08' };
  expect((await server.call('POST /devices/pending', { token, headers })).status).toBe(204);
  await pool.query(`update devices set oldest_at = now() - interval '3 hours' where user_id = $1`, [id]);
  await pool.query(`update sessions set last_seen_at = now(), pending_since = now() - interval '9 days'`);
  const counts = new DatabaseCounts({ connection, tasks: [], log: quietLog });
  const measure = async () => {
    await counts.count();
    return read(await counts.print(), 'callboard_unsent_oldest_seconds{heard="recently"}');
  };
  // At some time within that hour: never more than what is certain.
  expect(Math.round((await measure()) / 60)).toBe(120);
  await server.call('GET /user', { token, headers: { 'x-pending': '0' } });
  expect(await measure()).toBe(0);
  await counts.close();
  await server.close();
});

test('keeps since when a device has had unsent changes', async () => {
  const server = await openTestServer();
  const { token } = await server.join();
  const say = async (pending: number) => {
    await server.call('GET /user', { token, headers: { 'x-pending': String(pending) } });
    const { rows } = await server.database.pool.query<{ pending_since: Date | null }>(
      'select pending_since from sessions',
    );
    return rows[0]!.pending_since;
  };
  expect(await say(0)).toBeNull();
  const since = server.clock.now();
  expect(await say(2)).toEqual(since);
  server.clock.advance(3_600_000);
  expect(await say(1)).toEqual(since);
  expect(await say(0)).toBeNull();
  expect(await say(1)).toEqual(server.clock.now());
  await server.close();
});

interface Dashboard {
  panels: { title: string; description?: string; targets?: { expr: string }[] }[];
}

describe('the dashboard for Grafana', () => {
  test('shows every metric of the server, and no other', async () => {
    const names = new Set<string>();
    for (const [, name = ''] of (await scrape(await open())).matchAll(/^# TYPE (\S+) /gm)) names.add(name);
    const { panels } = JSON.parse(await readFile(path.join(DEPLOY, 'grafana.json'), 'utf8')) as Dashboard;
    const used = new Set<string>();
    for (const { targets = [] } of panels) {
      for (const { expr } of targets) {
        for (const [name] of expr.matchAll(/\b(?:callboard|nodejs|process)_\w+/g)) {
          used.add(name.replace(/_(bucket|count|sum)$/, ''));
        }
      }
    }
    expect([...used].sort()).toEqual([...names].sort());
    for (const panel of panels) expect(panel.description, panel.title).toBeTruthy();
  });

  test('is explained for operators, metric by metric', async () => {
    const page = await readFile(path.join(DEPLOY, '../docs/for-operators/metrics.md'), 'utf8');
    for (const [, name = ''] of (await scrape(await open())).matchAll(/^# TYPE (\S+) /gm))
      expect(page).toContain(`\`${name}`);
  });
});
