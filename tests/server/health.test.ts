import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Health } from '#server/platform/health/health.ts';
import type { Log } from '#server/platform/log.ts';
import { quietLog } from './support/quiet.ts';
import { openTestServer, useTestServer } from './support/test-server.ts';

const ALL_OK = {
  database: 'ok',
  migrations: 'ok',
  storage: 'ok',
  draining: 'ok',
  clock: 'ok',
  jobs: 'off',
  mail: 'ok',
};
const working = { check: async () => {} };

describe('GET /readyz', () => {
  const testServer = useTestServer();
  const opened: Health[] = [];
  afterEach(async () => {
    for (const health of opened.splice(0)) await health.close();
  });
  const openHealth = (parts: Partial<ConstructorParameters<typeof Health>[0]> = {}) => {
    const { connection } = testServer.database;
    const health = new Health({ connection, storage: working, log: quietLog, ...parts });
    opened.push(health);
    return health;
  };

  test.each(['/readyz', '/healthz'])('answers 200 with its checks, also as %s', async (path) => {
    const answer = await testServer.call(`GET ${path}`);
    expect([answer.status, answer.body]).toEqual([200, { message: 'Ready', status: 'ready', checks: ALL_OK }]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('answers 503 and names the store when that fails, and an answer serves for a second', async () => {
    const other = await openTestServer();
    try {
      vi.spyOn(other.app.deps.storage, 'check').mockRejectedValue(new Error('EROFS'));
      const answer = await other.call('GET /readyz');
      expect([answer.status, answer.body]).toEqual([
        503,
        { message: 'Not ready', status: 'not ready', checks: { ...ALL_OK, storage: 'failed' } },
      ]);
      await Promise.all([other.call('GET /readyz'), other.call('GET /healthz')]);
      expect(other.app.deps.storage.check).toHaveBeenCalledTimes(1);
    } finally {
      await other.close();
    }
  });

  test('says within a second that a check does not answer', async () => {
    const silent = net.createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const never = { check: () => new Promise<void>(() => {}) };
    const health = openHealth({
      connection: { connectionString: `postgres://127.0.0.1:${port}/nowhere` },
      storage: never,
    });
    const startedAt = performance.now();
    const { isReady, checks } = await health.check();
    expect(performance.now() - startedAt).toBeLessThan(1500);
    expect(isReady).toBe(false);
    expect(checks).toMatchObject({ database: 'failed', migrations: 'failed', storage: 'failed', clock: 'unknown' });
    silent.close();
  });

  test('answers while every connection of requests is busy', async () => {
    const { pool } = testServer.database;
    const busy = await Promise.all(Array.from({ length: 10 }, () => pool.connect()));
    try {
      expect((await openHealth().check()).isReady).toBe(true);
    } finally {
      for (const client of busy) client.release();
    }
  });

  test('is not ready on a database that lacks a migration, but on one of a newer release', async () => {
    const { pool } = testServer.database;
    const shift = (ms: number) =>
      pool.query('update drizzle.__drizzle_migrations set created_at = created_at + $1', [ms]);
    await shift(-1);
    expect(await openHealth().check()).toMatchObject({
      isReady: false,
      checks: { database: 'ok', migrations: 'failed' },
    });
    await shift(2);
    expect(await openHealth().check()).toMatchObject({ isReady: true, checks: { migrations: 'ok' } });
    await shift(-1);
  });

  test('shows a clock that is off, warns once, and stays ready', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 });
    try {
      const warn = vi.fn();
      const health = openHealth({ log: { ...quietLog, warn } as unknown as Log });
      expect(await health.check()).toMatchObject({ isReady: true, checks: { clock: 'off' } });
      expect(warn.mock.calls).toEqual([[{ seconds: 90 }, expect.stringContaining('clock')]]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('shows mails that wait, and stays ready', async () => {
    await testServer.database.pool.query(
      `insert into mails (kind, message_id, state, last_code, created_at) values ('verify', 'm-1', 'queued', 'EAUTH 535', now())`,
    );
    expect(await openHealth().check()).toMatchObject({ isReady: true, checks: { mail: 'waiting' } });
  });
});

test('GET /livez answers without a look at anything else', async () => {
  const testServer = await openTestServer({ connection: { connectionString: 'postgres://127.0.0.1:1/nowhere' } });
  expect((await testServer.call('GET /livez')).status).toBe(200);
  expect((await testServer.call('GET /readyz')).status).toBe(503);
  await testServer.close();
});

test('health has no rate limit, so that a proxy is never refused', async () => {
  const testServer = await openTestServer({ env: { RATE_LIMIT_SCALE: '0.001' } });
  for (let n = 0; n < 3; n += 1) await testServer.call('GET /config');
  expect((await testServer.call('GET /config')).status).toBe(429);
  for (const path of ['/livez', '/readyz', '/healthz']) expect((await testServer.call(`GET ${path}`)).status).toBe(200);
  await testServer.close();
});
