import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { makeBackup } from '#server/backup/make.ts';
import { readManifest } from '#server/backup/manifest.ts';
import { restoreBackup } from '#server/backup/restore.ts';
import { readConfig } from '#server/platform/config.ts';
import { connect } from '#server/platform/db/connect.ts';
import { listMigrationTimes, migrateUntil } from '#server/platform/db/migrate.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { withDatabase } from './support/database.ts';
import { quietLog } from './support/quiet.ts';
import { useBackup } from './support/restore.ts';
import { openS3Store } from './support/store.ts';

const backedUp = useBackup();

/** An empty database of a role without other rights, as an operator has it. */
async function withOwnDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const server = inject('postgres');
  const name = `callboard_test_${randomBytes(5).toString('hex')}`;
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create role ${name} login password 'aa11'`);
  await admin.query(`create database ${name} owner ${name}`);
  const given = withDatabase(server, name);
  const url =
    'connectionString' in given
      ? Object.assign(new URL(given.connectionString), { username: name, password: 'aa11' }).href
      : `postgresql://${name}:aa11@localhost/${name}?host=${encodeURIComponent(given.host)}&port=${given.port}`;
  try {
    await work(url);
  } finally {
    await admin.query(`drop database ${name} with (force)`);
    await admin.query(`drop role ${name}`);
    await admin.end();
  }
}

test('restores into the empty database of an operator, with files in a bucket, and back', async () => {
  const store = await openS3Store();
  await withOwnDatabase(async (url) => {
    const config = readConfig({ DATA_DIR: '/nowhere', DATABASE_URL: url, LOG_LEVEL: 'silent', ...store.env });
    const done = await backedUp.restore({ config });
    expect(done.files).toBeGreaterThan(0);
    const storage = await openStorage(config);
    const keys: string[] = [];
    for await (const { key } of storage.list()) keys.push(key);
    expect(keys).toHaveLength(done.files);
    await expect(backedUp.restore({ config, into: `${backedUp.into}2` })).rejects.toThrow(/DATABASE_URL is not empty/);

    // Lists the files of the bucket, or copies them.
    const source = { connection: { connectionString: url }, storage };
    const lists = await makeBackup(source, { to: backedUp.root });
    expect(await readdir(path.join(lists.folder, 'files'))).toEqual([]);
    expect((await readManifest(lists.folder)).files).toMatchObject({
      has_bytes: false,
      count: done.files,
      missing: [],
    });
    const onDisk = readConfig({ DATA_DIR: '/nowhere', LOG_LEVEL: 'silent' });
    const restoreThere = (backup: string, at = config) =>
      restoreBackup({ backup, into: `${backedUp.into}3`, config: at, log: quietLog, check: true });
    await expect(restoreThere(lists.folder, onDisk)).rejects.toThrow(/are in a bucket\. Set the S3_ settings/);
    expect((await restoreThere(lists.folder)).files).toBe(done.files);

    const whole = await makeBackup(source, { to: backedUp.root, withBucketFiles: true });
    await storage.remove(keys[0]!);
    await expect(restoreThere(lists.folder)).rejects.toThrow(`The bucket lacks the file ${keys[0]}`);
    await expect(makeBackup(source, { to: backedUp.root })).resolves.toMatchObject({ missing: [keys[0]] });
    expect((await restoreThere(whole.folder, onDisk)).files).toBe(done.files);

    const database = connect({ connectionString: url }, quietLog);
    const { rows } = await database.pool.query('select name from users where id = $1', [backedUp.testServer.nell.id]);
    expect(rows).toEqual([{ name: backedUp.testServer.nell.name }]);
    await database.close();
  });
  await store.close();
}, 240_000);

test('brings a backup of an earlier release to this one', async () => {
  await withOwnDatabase(async (url) => {
    const old = connect({ connectionString: url }, quietLog);
    const times = await listMigrationTimes();
    // The last release before the job queue.
    await migrateUntil(old.pool, times[4]!);
    await old.pool.query(`insert into installation (epoch) values ('of_old')`);
    await old.pool.query(
      `insert into users (name, email, password_hash, slug, created_at) values ('Ila', 'ila@callboard.example', '', 'ila', now())`,
    );
    await old.pool.query('insert into removed_people (user_id, removed_at) values (77, now())');
    const storage = await openStorage(readConfig({ DATA_DIR: backedUp.root }));
    const source = { connection: old.connection, storage, filesFolder: path.join(backedUp.root, 'files') };
    const { folder } = await makeBackup(source, { to: backedUp.root });
    await old.close();
    expect(await backedUp.restore({ backup: folder })).toMatchObject({ jobs: 0 });
  });
  expect(await backedUp.askRestored('select name, email_verified_at from users')).toEqual([
    { name: 'Ila', email_verified_at: null },
  ]);
  expect(await backedUp.askRestored('select user_id from erasures')).toEqual([{ user_id: '77' }]);
  expect(await backedUp.askRestored('select task_identifier as name from graphile_worker.jobs')).toEqual([
    { name: 'account.erase' },
  ]);
}, 120_000);
