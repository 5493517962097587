import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '#server/platform/config.ts';
import { connect, type Database } from '#server/platform/db/connect.ts';
import { startPostgres } from '#server/platform/db/embedded.ts';
import { migrateDatabase } from '#server/platform/db/migrate.ts';
import { openDatabase, openForTools } from '#server/platform/db/open.ts';
import { prepareDatabase, type Cluster } from '#server/platform/db/roles.ts';
import { isFull } from '../support/quantity.ts';
import { quietLog } from './support/quiet.ts';

let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-role-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const open = () => openDatabase(readConfig({ DATA_DIR: dataDir }), quietLog);

/** Runs the embedded PostgreSQL alone, and gives its superuser. */
async function withCluster(work: (cluster: Cluster) => Promise<void>): Promise<void> {
  const postgres = await startPostgres({ dataDir, log: quietLog });
  try {
    await work(postgres.connection);
  } finally {
    await postgres.stop();
  }
}

/** Makes a database as releases before the role did: all of it belongs to the superuser. */
const makeOldDatabase = () =>
  withCluster(async (cluster) => {
    const admin = new pg.Client({ ...cluster, database: 'postgres' });
    await admin.connect();
    await admin.query('create database callboard');
    await admin.end();
    const old = connect({ ...cluster, database: 'callboard' }, quietLog);
    await migrateDatabase(old.pool);
    await old.pool.query(
      `insert into users (name, email, password_hash, slug, created_at) values ('Ila', 'ila@callboard.example', '', 'ila', now())`,
    );
    await old.pool.query(`select graphile_worker.add_job('account.erase', '{"user": 7}'::json)`);
    await old.close();
  });

/** What belongs to somebody other than the application, without what PostgreSQL and its extensions brought. */
const FOREIGN = `
  with app as (select oid from pg_roles where rolname = 'callboard_app'),
  ours as (select oid from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
  object as (
    select 'pg_class'::regclass as class, oid, relowner as owner, relname::text as name from pg_class
      where relnamespace in (select oid from ours)
    union all select 'pg_proc'::regclass, oid, proowner, proname from pg_proc where pronamespace in (select oid from ours)
    union all select 'pg_type'::regclass, oid, typowner, typname from pg_type where typnamespace in (select oid from ours)
    union all select 'pg_namespace'::regclass, oid, nspowner, nspname from pg_namespace
      where oid in (select oid from ours) and nspname <> 'public'
    union all select 'pg_database'::regclass, oid, datdba, datname from pg_database where datname = current_database()
  )
  select class::text, name from object, app where owner <> app.oid
    and not exists (select from pg_depend where classid = class and objid = object.oid and deptype = 'e')`;

const getForeign = async ({ pool }: Pick<Database, 'pool'>) => (await pool.query(FOREIGN)).rows;

if (isFull) {
  test('moves a database of an earlier release to the role of the application, with rows, jobs and migrations', async () => {
    await makeOldDatabase();
    for (const start of ['first', 'second']) {
      const database = await open();
      const { pool } = database;
      expect((await pool.query('select current_user as role')).rows, start).toEqual([{ role: 'callboard_app' }]);
      expect(await getForeign(database)).toEqual([]);
      expect((await pool.query('select name from users')).rows).toEqual([{ name: 'Ila' }]);
      expect((await pool.query('select task_identifier as name from graphile_worker.jobs')).rows).toEqual([
        { name: 'account.erase' },
      ]);
      await database.close();
    }
    const database = await open();
    const { pool } = database;
    await pool.query(`select graphile_worker.add_job('account.erase', '{"user": 8}'::json)`);
    expect((await pool.query(`select 'ila' % 'ila' as is_alike`)).rows).toEqual([{ is_alike: true }]);
    // What a later migration may do.
    await pool.query(`alter table users add column note text`);
    await pool.query(`alter type sync_type add value 'of_a_later_release'`);
    await pool.query(`create table later (id bigint primary key references users)`);
    await pool.query(`truncate users cascade`);
    await database.close();
  });

  test('an interrupted move changes nothing, and the next start moves everything', async () => {
    await makeOldDatabase();
    await withCluster(async (cluster) => {
      // Activity looks the same throughout a transaction, so somebody else watches.
      const [holder, watcher] = [0, 1].map(() => new pg.Client({ ...cluster, database: 'callboard' })) as [
        pg.Client,
        pg.Client,
      ];
      await Promise.all([holder.connect(), watcher.connect()]);
      // The move waits for this table, in the middle of its work.
      await holder.query('begin; lock table users in access share mode');
      const isInterrupted = expect(prepareDatabase(cluster)).rejects.toThrow();
      const waiting = `select pid from pg_stat_activity where wait_event_type = 'Lock' and query like '%callboard_app%'`;
      await expect.poll(async () => (await watcher.query(waiting)).rowCount, { timeout: 10_000, interval: 5 }).toBe(1);
      await watcher.query(`select pg_terminate_backend(pid) from (${waiting}) as move`);
      await isInterrupted;
      await holder.query('commit');
      const { rows } = await holder.query(
        `select pg_get_userbyid(datdba) as owner, (select count(*)::int from pg_roles where rolname = 'callboard_app') as roles
       from pg_database where datname = 'callboard'`,
      );
      expect(rows).toEqual([{ owner: 'callboard', roles: 0 }]);
      await Promise.all([holder.end(), watcher.end()]);
    });
    const database = await open();
    expect(await getForeign(database)).toEqual([]);
    await database.close();
  });
}

describe('the role of the application', () => {
  test('cannot run programs, read files of the machine, make roles or change the server', async () => {
    const database = await open();
    const refused = [
      `copy (select 1) to program 'cat'`,
      `copy users from '/etc/passwd'`,
      `select pg_read_file('/etc/passwd')`,
      `select pg_backup_start('theft')`,
      `create role another superuser`,
      `alter role callboard_app superuser`,
      `set role callboard`,
      `alter system set fsync = off`,
      `create database another`,
      `load 'auto_explain'`,
      `create function run(text) returns int language c as 'libc.so.6', 'system'`,
    ];
    for (const statement of refused) {
      await expect(database.pool.query(statement), statement).rejects.toMatchObject({ code: '42501' });
    }
    await database.close();
  });

  test('gets back what somebody made as the superuser, and loses rights that somebody gave it', async () => {
    await (await open()).close();
    await withCluster(async (cluster) => {
      const admin = new pg.Client({ ...cluster, database: 'callboard' });
      await admin.connect();
      await admin.query(`create table "Odd "" name" (id serial, state text)`);
      await admin.query(
        `create view seen as select 1 as one; create sequence free; create type pair as (a int, b int)`,
      );
      await admin.query(`create function twice(int) returns int language sql as 'select $1 * 2'`);
      await admin.query(`alter role callboard_app superuser createrole`);
      await admin.end();
    });
    const database = await open();
    expect(await getForeign(database)).toEqual([]);
    const { rows } = await database.pool.query(
      `select rolsuper or rolcreaterole as is_powerful from pg_roles where rolname = current_user`,
    );
    expect(rows).toEqual([{ is_powerful: false }]);
    await database.close();
  });

  test('is what tools use, and a tool beside a server of an earlier release says to restart that', async () => {
    await makeOldDatabase();
    await withCluster(async () => {
      const opened = openForTools(readConfig({ DATA_DIR: dataDir }), quietLog);
      await expect(opened).rejects.toThrow(/is of an earlier release; restart it with this one/);
    });
    const database = await open();
    const tool = await openForTools(readConfig({ DATA_DIR: dataDir }), quietLog);
    expect((await tool.pool.query('select current_user as role')).rows).toEqual([{ role: 'callboard_app' }]);
    await tool.close();
    await database.close();
  });
});
