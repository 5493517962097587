import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
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

type Ask = (sql: string) => Promise<unknown[]>;

/** Starts it on a folder for as long as `use` takes; it is gone afterwards even when `use` fails. */
async function withPostgres(
  folder: string,
  use: (ask: Ask, host: string) => Promise<void>,
  settings: string[] = [],
): Promise<void> {
  const { connection, stop } = await startPostgres({ dataDir: folder, log: silent, settings });
  const ask: Ask = async (sql) => {
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

test('is durable, checks its pages and can be reached by its folder alone', async () => {
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

test('works where the path is too long for a socket', async () => {
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

test('takes a lock away whose process is no PostgreSQL', async () => {
  const lines = [String(process.pid), path.join(dataDir, 'postgres'), '1', '5432', '', '', '', 'ready'];
  await writeFile(path.join(dataDir, 'postgres/postmaster.pid'), lines.join('\n'), { mode: 0o600 });
  await withPostgres(dataDir, async (ask) => {
    expect(await ask('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

test('starts again by itself when it dies, with what was committed', async () => {
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
  // Told to stop in the very moment it is back, it leaves nothing running.
  expect(await readdir(path.join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
});

describe('a folder that cannot be used is left as it was', () => {
  const snapshot = async (folder: string) => (await readdir(folder, { recursive: true })).sort();

  test('another version of PostgreSQL', async () => {
    const older = path.join(root, 'older');
    await cp(dataDir, older, { recursive: true });
    await writeFile(path.join(older, 'postgres/PG_VERSION'), '17\n');
    const before = await snapshot(older);
    const start = startPostgres({ dataDir: older, log: silent });
    await expect(start).rejects.toThrow(ConfigError);
    await expect(start).rejects.toThrow(/PostgreSQL 17.*runs 18.*nothing was changed/);
    expect(await snapshot(older)).toEqual(before);
  });

  test('somebody’s files', async () => {
    const foreign = path.join(root, 'foreign');
    await mkdir(path.join(foreign, 'postgres'), { recursive: true });
    await writeFile(path.join(foreign, 'postgres/thesis.txt'), 'years of work');
    await expect(startPostgres({ dataDir: foreign, log: silent })).rejects.toThrow(/holds files, but no database/);
    expect(await snapshot(foreign)).toEqual(['postgres', 'postgres/thesis.txt']);
  });

  test('a file where the folder should be', async () => {
    await writeFile(path.join(root, 'file'), '');
    await expect(startPostgres({ dataDir: path.join(root, 'file/data'), log: silent })).rejects.toThrow(
      /DATA_DIR cannot be made/,
    );
  });
});

describe('the server on it', () => {
  test('a second one on the same data is refused, and the first goes on', async () => {
    const shared = path.join(root, 'shared');
    const first = await startServer({ DATA_DIR: shared });
    await expect(startServer({ DATA_DIR: shared })).rejects.toThrow(
      /^Callboard cannot start: Another server \(process \d+\) uses [^\n]*$/,
    );
    expect((await callServer(first.url, 'GET /healthz')).status).toBe(200);
    expect(await first.end('SIGTERM')).toBe(0);
  });

  test('a bad setting stops the start with one line', async () => {
    await expect(startServer({ DATA_DIR: dataDir, PORT: 'eighty' })).rejects.toThrow(
      /^Callboard cannot start: PORT [^\n]*$/,
    );
  });

  test('answers 503 while its database is away, and recovers', async () => {
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

  test('told to end, it answers what is under way first', async () => {
    const server = await startServer({ DATA_DIR: dataDir });
    const people = Array.from({ length: 8 }, (_, n) => ({
      body: { name: 'Ila', email: `ila${n}@callboard.example`, password: 'the ghost light stays on' },
    }));
    const underWay = people.map((person) => callServer<{ token: string }>(server.url, 'POST /register', person));
    // The first answer says that all have arrived: each takes its turn at the same slow work.
    await Promise.race(underWay);
    const ended = server.end('SIGTERM');
    expect((await Promise.all(underWay)).map((answer) => answer.status)).toEqual(people.map(() => 201));
    expect(await ended).toBe(0);
    await expect(callServer(server.url, 'GET /healthz')).rejects.toThrow();
  });

  test('with demo people in an empty store prints their sign-in, and its address last', async () => {
    const demo = await startServer({ DATA_DIR: path.join(root, 'demo'), SEED_DEMO: '1' });
    const login = { body: { email: 'meera@callboard.example', password: 'curtain up at eight' } };
    const signedIn = await callServer<{ token: string }>(demo.url, 'POST /login', login);
    expect(signedIn.status).toBe(200);
    const pulled = await callServer<{ records: { type: string }[] }>(demo.url, 'GET /sync', signedIn.body);
    const types = new Set(pulled.body.records.map((record) => record.type));
    expect([...types]).toEqual(expect.arrayContaining(['profile', 'about_me', 'experience', 'skill']));
    expect(await demo.end('SIGTERM')).toBe(0);
  });
});
