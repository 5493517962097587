import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { measureTable, openCopyClient } from '#server/backup/copy.ts';
import { listReferencedFiles } from '#server/backup/files.ts';
import { makeBackup, type BackupOptions } from '#server/backup/make.ts';
import { readManifest } from '#server/backup/manifest.ts';
import { LEFT_OUT } from '#server/backup/tables.ts';
import { verifyBackup } from '#server/backup/verify.ts';
import { LOCK, LOCK_PAIR } from '#server/platform/db/advisory-locks.ts';
import { DatabaseCounts } from '#server/platform/metrics/counts.ts';
import { runOutsideBackup } from '#server/platform/storage/backup-lock.ts';
import { getFilePath } from '#server/platform/storage/disk.ts';
import { removeUnreferenced, sweepStorage } from '#server/platform/storage/sweep.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { useTwoPerformers } from './support/files.ts';
import { jpeg } from './support/pictures.ts';
import { quietLog } from './support/quiet.ts';
import { runUntilKilled } from './support/restore.ts';
import { isFull } from '../support/quantity.ts';

const testServer = useTwoPerformers();
let to = '';
let filesFolder = '';
beforeAll(() => {
  filesFolder = path.join(testServer.app.deps.config.dataDir, 'files');
});
beforeEach(async () => {
  to = await mkdtemp(path.join(tmpdir(), 'callboard-backup-'));
  return () => rm(to, { recursive: true, force: true });
});
afterAll(() => expect(testServer.database.pool.waitingCount).toBe(0));

const getSource = (storage = testServer.storage) => ({
  connection: testServer.database.connection,
  storage,
  filesFolder,
});
const backUp = (options: Partial<BackupOptions> = {}) => makeBackup(getSource(), { to, ...options });

/** Stores a profile photo. @returns the keys of its files */
async function addPhoto(person = testServer.nell): Promise<string[]> {
  const before = await testServer.keys();
  const form = new FormData();
  form.set('profileId', person.profileId);
  form.set('image', new Blob([Buffer.from(await jpeg(60, 40))], { type: 'image/jpeg' }), 'face.jpg');
  const headers = { authorization: `Bearer ${person.token}` };
  const stored = await fetch(`${testServer.url}/profile/avatar`, { method: 'POST', headers, body: form });
  expect(stored.status).toBe(200);
  return [...(await testServer.keys())].filter((key) => !before.has(key));
}

/** A step of the backup at which a test does something. */
const during = (step: string, work: () => Promise<unknown>) => {
  let isDone = false;
  return async (text: string) => {
    if (isDone || !text.startsWith(step)) return;
    isDone = true;
    await work();
  };
};

const tableNames = async () => {
  const { rows } = await testServer.database.pool.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  return rows.map(({ name }) => name);
};

test('shares the number of its lock with nothing else', () => {
  for (const numbers of [Object.values(LOCK), Object.values(LOCK_PAIR)])
    expect(new Set(numbers).size).toBe(numbers.length);
});

test('is made, and files are removed, while a node counts the database for the metrics', async () => {
  const { connection, db } = testServer.database;
  const counts = new DatabaseCounts({ connection, tasks: [], log: quietLog });
  await counts.count();
  expect(await counts.print()).toContain('callboard_unsent_devices');
  expect(await runOutsideBackup(db, () => Promise.resolve('removed'))).toBe('removed');
  const { missing } = await backUp();
  await counts.close();
  expect(missing).toEqual([]);
});

test('holds every table and every file that a row refers to, for its owner’s eyes only', async () => {
  await addPhoto();
  const { folder, rows, files, missing } = await backUp();
  const manifest = await verifyBackup(folder, () => {});
  expect(manifest.tables.map(({ name }) => name)).toEqual((await tableNames()).filter((name) => !LEFT_OUT.has(name)));
  for (const name of LEFT_OUT) expect(await tableNames()).toContain(name);
  expect(rows).toBe(manifest.tables.reduce((sum, table) => sum + table.rows, 0));
  expect(missing).toEqual([]);
  expect(files).toBeGreaterThan(0);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const { mode } = await stat(path.join(entry.parentPath, entry.name));
    expect(mode & 0o077, entry.name).toBe(0);
  }
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test('leaves out no table that another one refers to', async () => {
  const { rows } = await testServer.database.pool.query<{ name: string }>(
    `select distinct 'public.' || confrelid::regclass as name from pg_constraint where contype = 'f'`,
  );
  expect(rows.filter(({ name }) => LEFT_OUT.has(name))).toEqual([]);
});

test('reads a large table in the same order, whatever else is reading it', async () => {
  const { pool } = testServer.database;
  await pool.query(`create table large (id int, filler text);
    alter table large alter filler set storage plain;
    insert into large select n, repeat(md5(n::text), 200) from generate_series(1, 5000) n`);
  const table = { name: 'public.large', columns: ['id', 'filler'] };
  const reader = await openCopyClient(testServer.database.connection);
  const other = await pool.connect();
  try {
    const first = await measureTable(reader, table);
    // PostgreSQL lets another scan join this one where it is.
    await other.query('begin; declare half cursor for select * from large; move 2500 in half');
    expect(await measureTable(reader, table)).toEqual(first);
    await other.query('rollback');
  } finally {
    other.release();
    await reader.end();
    await pool.query('drop table large');
  }
});

test('takes no space for files on the same disk', async () => {
  const [key] = await addPhoto();
  const { folder } = await backUp();
  const [original, linked] = await Promise.all(
    [filesFolder, path.join(folder, 'files')].map((root) => stat(getFilePath(root, key!).file)),
  );
  expect(linked!.ino).toBe(original!.ino);
});

test('copies files that cannot be linked', async () => {
  const keys = await addPhoto();
  const { folder } = await makeBackup(
    { connection: testServer.database.connection, storage: testServer.storage },
    { to, withBucketFiles: true },
  );
  await verifyBackup(folder, () => {});
  for (const key of keys) {
    const [original, copy] = await Promise.all(
      [filesFolder, path.join(folder, 'files')].map((root) => readFile(getFilePath(root, key).file)),
    );
    expect(copy).toEqual(original);
  }
});

describe('while a backup is being made', () => {
  test('a file whose row is deleted stays, and is removed afterwards', async () => {
    const [old] = await addPhoto();
    const photos: string[][] = [];
    const { folder, missing } = await backUp({
      progress: during('Copying file', async () => {
        // Replaces the photo, and would remove the old one.
        photos.push(await addPhoto());
        const sweep = await sweepStorage(testServer.database.db, testServer.storage, new Date(Date.now() + 60_000));
        expect(sweep).toBe(0);
      }),
    });
    expect(missing).toEqual([]);
    await verifyBackup(folder, () => {});
    expect(await testServer.keys()).toContain(old);
    const waiting = `select payload from graphile_worker._private_jobs where payload::text like '%${old}%'`;
    expect((await testServer.database.pool.query(waiting)).rowCount).toBe(1);
    await removeUnreferenced(testServer.database.db, testServer.storage, [old!]);
    expect(await testServer.keys()).not.toContain(old);
    expect(await testServer.keys()).toContain(photos[0]![0]);
  });

  test('another one is refused', async () => {
    let refusal: unknown;
    await backUp({
      progress: during('Finishing', async () => {
        refusal = await backUp().catch((error: unknown) => error);
      }),
    });
    expect(String(refusal)).toContain('Another backup of this Callboard is being made');
    expect(await readdir(to)).toHaveLength(1);
  });

  test('rows that arrive later are not in it, and those before are', async () => {
    const count = async () =>
      Number((await testServer.database.pool.query('select count(*) as n from users')).rows[0].n);
    const before = await count();
    const { folder } = await backUp({ progress: during('Copying table', () => testServer.join()) });
    expect(await count()).toBe(before + 1);
    const users = (await readManifest(folder)).tables.find(({ name }) => name === 'public.users');
    expect(users?.rows).toBe(before);
  });
});

test('names the files that are missing or damaged, and keeps the rest', async () => {
  const keys = await addPhoto(testServer.moll);
  const other = await addPhoto();
  await rm(getFilePath(filesFolder, keys[0]!).file);
  await writeFile(getFilePath(filesFolder, other[0]!).file, 'short');
  const { folder, missing } = await backUp({ keep: 1 });
  expect([...missing].sort()).toEqual([keys[0], other[0]].sort());
  const manifest = await verifyBackup(folder, () => {});
  expect([...manifest.files.missing].sort()).toEqual([keys[0], other[0]].sort());
  await addPhoto(testServer.moll);
  await addPhoto();
});

test('keeps as many backups as asked, of this Callboard only', async () => {
  const foreign = path.join(to, 'callboard-20200101T000000Z');
  await mkdir(foreign);
  await writeFile(path.join(foreign, 'manifest.json'), '{"format": 1}');
  const made: string[] = [];
  for (let day = 1; day <= 4; day += 1) {
    made.push(path.basename((await backUp({ keep: 2, now: new Date(`2026-11-0${day}T09:00:00Z`) })).folder));
  }
  expect((await readdir(to)).sort()).toEqual(['callboard-20200101T000000Z', ...made.slice(2)]);
  // Two in one second have names of their own.
  const again = await backUp({ now: new Date('2026-11-04T09:00:00Z') });
  expect(path.basename(again.folder)).toBe('callboard-20261104T090000Z-2');
});

test('keeps the backup that was just made, whatever the clock says', async () => {
  await backUp({ now: new Date('2026-11-02T09:00:00Z') });
  const { folder } = await backUp({ keep: 1, now: new Date('2026-11-01T09:00:00Z') });
  expect(await readdir(to)).toEqual([path.basename(folder)]);
});

test('clears up what a backup that was killed before its last step left', async () => {
  const killed = (await backUp()).folder;
  await rename(killed, `${killed}.partial`);
  const { folder } = await backUp();
  expect(await readdir(to)).toEqual([path.basename(folder)]);
});

if (isFull) {
  const steps = ['Copying table 1', 'Copying table 12', 'Copying file', 'Finishing'];
  test.each(steps)('killed at "%s", it leaves no backup, and the next one clears up', async (step) => {
    const source = { connection: testServer.database.connection, filesFolder };
    await runUntilKilled(step, testServer.app.deps.config.dataDir, { source, backup: { to } });
    expect(await readdir(to)).toEqual([expect.stringMatching(/\.partial$/)]);
    const { folder } = await backUp();
    expect(await readdir(to)).toEqual([path.basename(folder)]);
    await verifyBackup(folder, () => {});
  });
}

test('a full disk is said in one line, and nothing is kept', async () => {
  await addPhoto();
  const full: Storage = {
    ...testServer.storage,
    open: async () =>
      Readable.from(
        (async function* () {
          yield Buffer.from('some');
          throw Object.assign(new Error('write'), { code: 'ENOSPC' });
        })(),
      ),
  };
  const making = makeBackup(
    { connection: testServer.database.connection, storage: full },
    { to, withBucketFiles: true },
  );
  await expect(making).rejects.toThrow(/^There is no space left in \S+; nothing was kept\. Free some/);
  expect(await readdir(to)).toEqual([]);
});

test('a database that ends meanwhile is said in one line, and nothing is kept', async () => {
  const { pool } = testServer.database;
  const end = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'callboard backup'
    and datname = current_database()`;
  const making = backUp({ progress: during('Copying table 3', () => pool.query(end)) });
  await expect(making).rejects.toThrow('The database ended while the backup was made; nothing was kept');
  expect(await readdir(to)).toEqual([]);
});

test('lists the files page by page, each once', async () => {
  const { pool } = testServer.database;
  for (let n = 0; n < 3; n += 1) await addPhoto(await testServer.addPerformer());
  const { rows } = await pool.query<{ key: string }>('select key from stored_files order by key');
  expect(rows.length).toBeGreaterThan(4);
  const client = await pool.connect();
  try {
    const found: string[] = [];
    for await (const { key } of listReferencedFiles(client, 2)) found.push(key);
    expect(found).toEqual(rows.map(({ key }) => key));
  } finally {
    client.release();
  }
});
