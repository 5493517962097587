import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isFull } from '../support/quantity.ts';
import { ConfigError } from '#server/platform/config.ts';
import { startPostgres } from '#server/platform/db/embedded.ts';
import type { Log } from '#server/platform/log.ts';
import { callServer, startServer } from './support/server-process.ts';

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
let root = '';
let dataDir = '';

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'callboard-embedded-'));
  dataDir = path.join(root, 'data');
  await (await startPostgres({ dataDir, log: silent })).stop();
});
afterAll(() => rm(root, { recursive: true, force: true }));

const pidIn = async (folder: string) =>
  Number.parseInt(await readFile(path.join(folder, 'postgres/postmaster.pid'), 'utf8'), 10);

type RunQuery = (sql: string) => Promise<unknown[]>;

/** Runs PostgreSQL on a folder while `use` runs, and stops it even when `use` fails. */
async function withPostgres(
  folder: string,
  use: (ask: RunQuery, host: string) => Promise<void>,
  settings: string[] = [],
): Promise<void> {
  const { connection, stop } = await startPostgres({ dataDir: folder, log: silent, settings });
  const ask: RunQuery = async (sql) => {
    const client = new pg.Client({ ...connection, database: 'postgres' });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  };
  try {
    await use(ask, connection.host);
  } finally {
    await stop();
  }
}

test('runs durably, with page checksums and only over a Unix socket', async () => {
  await withPostgres(dataDir, async (ask) => {
    const rows = await ask(
      `select name, setting from pg_settings
       where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses') order by name`,
    );
    expect(rows).toEqual([
      { name: 'data_checksums', setting: 'on' },
      { name: 'fsync', setting: 'on' },
      { name: 'full_page_writes', setting: 'on' },
      { name: 'listen_addresses', setting: '' },
      { name: 'synchronous_commit', setting: 'on' },
    ]);
  });
  expect((await stat(path.join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700);
});

if (isFull) {
  test('works when the path is too long for a socket', async () => {
    const long = path.join(root, 'x'.repeat(120));
    let sockets = '';
    await withPostgres(
      long,
      async (ask, host) => {
        sockets = host;
        expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
        expect((await stat(host)).mode & 0o777).toBe(0o700);
      },
      ['fsync=off'],
    );
    await rm(sockets, { recursive: true, force: true });
  });
}

test('removes a lock file whose process is not PostgreSQL', async () => {
  const lines = [String(process.pid), path.join(dataDir, 'postgres'), '1', '5432', '', '', '', 'ready'];
  await writeFile(path.join(dataDir, 'postgres/postmaster.pid'), lines.join('\n'), { mode: 0o600 });
  await withPostgres(dataDir, async (ask) => {
    expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('restarts PostgreSQL after it dies, with the committed data', async () => {
  await withPostgres(dataDir, async (ask) => {
    await ask('create table kept as select 7 as n');
    const before = await pidIn(dataDir);
    process.kill(before, 'SIGKILL');
    await vi.waitFor(async () => expect(await ask('select n from kept')).toEqual([{ n: 7 }]), {
      timeout: 15_000,
      interval: 5,
    });
    expect(await pidIn(dataDir)).not.toBe(before);
  });
  // A stop right after the restart leaves nothing running.
  expect(await readdir(path.join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
});

describe('leaves a folder unchanged that it cannot use', () => {
  const snapshot = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

  test('rejects data of another PostgreSQL version', async () => {
    const older = path.join(root, 'older');
    await cp(dataDir, older, { recursive: true });
    await writeFile(path.join(older, 'postgres/PG_VERSION'), '17\n');
    const before = await snapshot(older);
    const start = startPostgres({ dataDir: older, log: silent });
    await expect(start).rejects.toThrow(ConfigError);
    await expect(start).rejects.toThrow(/PostgreSQL 17.*runs 18.*nothing was changed/);
    expect(await snapshot(older)).toEqual(before);
  });

  test('rejects a folder with other files', async () => {
    const foreign = path.join(root, 'foreign');
    await mkdir(path.join(foreign, 'postgres'), { recursive: true });
    await writeFile(path.join(foreign, 'postgres/thesis.txt'), 'years of work');
    await expect(startPostgres({ dataDir: foreign, log: silent })).rejects.toThrow(/holds files, but no database/);
    expect(await snapshot(foreign)).toEqual(['postgres', 'postgres/thesis.txt']);
  });

  test('rejects a file in place of the folder', async () => {
    await writeFile(path.join(root, 'file'), '');
    await expect(startPostgres({ dataDir: path.join(root, 'file/data'), log: silent })).rejects.toThrow(
      /DATA_DIR cannot be made/,
    );
  });
});

describe('server with the embedded database', () => {
  if (isFull) {
    test('rejects a second server on the same data and keeps the first running', async () => {
      const shared = path.join(root, 'shared');
      const first = await startServer({ DATA_DIR: shared });
      await expect(startServer({ DATA_DIR: shared })).rejects.toThrow(
        /^Callboard cannot start: Another server \(process \d+\) uses [^\n]*$/,
      );
      expect((await callServer(first.url, 'GET /healthz')).status).toBe(200);
      expect(await first.end('SIGTERM')).toBe(0);
    });
  }

  test('exits with one line for an invalid setting', async () => {
    await expect(startServer({ DATA_DIR: dataDir, PORT: 'eighty' })).rejects.toThrow(
      /^Callboard cannot start: PORT [^\n]*$/,
    );
  });

  test('answers 503 while the database is down and recovers', async () => {
    const server = await startServer({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    process.kill(await pidIn(dataDir), 'SIGKILL');
    const statuses = new Set<number>();
    await vi.waitFor(
      async () => {
        const { status } = await callServer(server.url, 'GET /healthz');
        statuses.add(status);
        expect(statuses.has(503) && status === 200).toBe(true);
      },
      { timeout: 15_000, interval: 10 },
    );
    expect([...statuses].sort()).toEqual([200, 503]);
    expect(await server.end('SIGTERM')).toBe(0);
  });

  if (isFull) {
    test('completes requests in flight before it exits', async () => {
      const server = await startServer({ DATA_DIR: dataDir });
      const people = Array.from({ length: 8 }, (_, n) => ({
        body: { name: 'Ila', email: `ila${n}@callboard.example`, password: 'the ghost light stays on' },
      }));
      const underWay = people.map((person) => callServer<{ token: string }>(server.url, 'POST /register', person));
      // The first response shows that all requests have arrived: they share the same slow work.
      await Promise.race(underWay);
      const ended = server.end('SIGTERM');
      expect((await Promise.all(underWay)).map((answer) => answer.status)).toEqual(people.map(() => 201));
      expect(await ended).toBe(0);
      await expect(callServer(server.url, 'GET /healthz')).rejects.toThrow();
    });
  }

  // tests/server/demo.test.ts shows by default what is seeded.
  if (isFull) {
    test('seeds demo people into an empty database and prints the sign-in and, last, the address', async () => {
      const demo = await startServer({ DATA_DIR: path.join(root, 'demo'), SEED_DEMO: '1' });
      const login = { body: { email: 'meera@callboard.example', password: 'curtain up at eight' } };
      const signedIn = await callServer<{ token: string }>(demo.url, 'POST /login', login);
      expect(signedIn.status).toBe(200);
      const pulled = await callServer<{ records: { type: string }[] }>(demo.url, 'GET /sync', signedIn.body);
      const types = new Set(pulled.body.records.map((record) => record.type));
      expect([...types]).toEqual(expect.arrayContaining(['profile', 'about_me', 'experience', 'skill']));
      expect(await demo.end('SIGTERM')).toBe(0);
    });
  }
});
