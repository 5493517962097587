import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { PROFILE_TYPES } from '#contract/profile-types.ts';
import { connect, type Database } from '#server/platform/db/connect.ts';
import { MIGRATIONS_FOLDER, migrateDatabase } from '#server/platform/db/migrate.ts';
import * as schema from '#server/platform/db/schema.ts';
import { withDatabase } from './support/database.ts';
import { quietLog } from './support/quiet.ts';

/** Connects nodes to a new, empty database. */
async function withNodes(count: number, work: (nodes: Database[]) => Promise<void>): Promise<void> {
  const server = inject('postgres');
  const name = `callboard_test_${randomBytes(5).toString('hex')}`;
  const admin = new pg.Client(server);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const nodes = Array.from({ length: count }, () =>
    connect(withDatabase(server, name), quietLog, { maxConnections: 2 }),
  );
  try {
    await work(nodes);
  } finally {
    await Promise.all(nodes.map((node) => node.close()));
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  }
}

const LOCKS = `(select count(*)::int from pg_locks
  where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database()))`;

test('migrates once when nodes start together on an empty database', async () => {
  await withNodes(4, async (nodes) => {
    await Promise.all(nodes.map((node) => migrateDatabase(node.pool)));
    const { rows } = await nodes[0]!.pool.query(
      `select (select count(*)::int from installation) as installations,
              (select count(*)::int from profile_types) as types,
              ${LOCKS} as locks`,
    );
    expect(rows[0]).toEqual({ installations: 1, types: PROFILE_TYPES.length, locks: 0 });
  });
});

test('releases its lock immediately when a node is done', async () => {
  await withNodes(2, async (nodes) => {
    const [starting, observer] = nodes.map((node) => node.pool) as [pg.Pool, pg.Pool];
    for (let start = 0; start < 20; start += 1) {
      await migrateDatabase(starting);
      const { rows } = await observer.query(`select ${LOCKS} as locks`);
      expect(rows[0]).toEqual({ locks: 0 });
    }
  });
});

test('reports how to add the search extension when the user may not create it', async () => {
  const role = `callboard_plain_${randomBytes(4).toString('hex')}`;
  await withNodes(1, async ([node]) => {
    await node!.pool.query(`create role ${role}`);
    const database = String((await node!.pool.query('select current_database() as name')).rows[0]?.name);
    const asRole = { ...withDatabase(inject('postgres'), database), options: `-c role=${role}` };
    const limited = connect(asRole, quietLog, { maxConnections: 1 });
    await expect(migrateDatabase(limited.pool)).rejects.toThrow(/CREATE EXTENSION pg_trgm/);
    await limited.close();
    await node!.pool.query(`drop role ${role}`);
  });
});

/** Returns the schema of a database in a comparable form. */
async function getSchema({ pool }: Database): Promise<unknown> {
  const queries = [
    `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
     where table_schema = 'public' order by 1, 2`,
    `select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
    `select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as is from pg_constraint
     where connamespace = 'public'::regnamespace order by 1, 2`,
    `select tgrelid::regclass::text as of, tgname, pg_get_triggerdef(oid) as is from pg_trigger
     where not tgisinternal order by 1, 2`,
  ];
  return Promise.all(queries.map(async (query) => (await pool.query(query)).rows));
}

test('has a migration for every change of the schema, and one snapshot to compare with', async () => {
  const meta = path.join(MIGRATIONS_FOLDER, 'meta');
  const { entries } = JSON.parse(await readFile(path.join(meta, '_journal.json'), 'utf8')) as {
    entries: { tag: string }[];
  };
  const newest = `${entries.at(-1)!.tag.slice(0, 4)}_snapshot.json`;
  expect((await readdir(meta)).sort()).toEqual([newest, '_journal.json']);
  const migrated = JSON.parse(await readFile(path.join(meta, newest), 'utf8')) as ReturnType<
    typeof generateDrizzleJson
  >;
  expect(await generateMigration(migrated, generateDrizzleJson(schema))).toEqual([]);
});

/** Timestamp of the last migration that the baseline replaced. Databases migrated up to it have the schema of the baseline. */
const BASELINE_MIGRATED_AT = 1795355249065;

test('applies later migrations to a database from before the baseline and keeps its data', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-migrations-'));
  try {
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
    const file = path.join(folder, 'meta/_journal.json');
    const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { when: number }[] };
    await writeFile(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, 1) }));
    await withNodes(1, async ([old]) => {
      await old!.pool.query('create extension pg_trgm');
      await migrate(drizzle(old!.pool), { migrationsFolder: folder });
      await old!.pool.query('update drizzle.__drizzle_migrations set hash = $1, created_at = $2', [
        'of another file',
        BASELINE_MIGRATED_AT,
      ]);
      await old!.pool.query(
        `insert into users (name, email, password_hash, slug, created_at) values ('Ila', 'ila@callboard.example', '', 'ila', now())`,
      );
      await old!.pool.query(
        `insert into sync_records (user_id, type, record_id, parent, seq, deleted_at) values
           (1, 'experience', '7', '3', 65, null), (1, 'message', '7', '4', 66, null), (1, 'skill', '8', '3', 67, now())`,
      );
      await migrateDatabase(old!.pool);
      const { rows } = await old!.pool.query('select name from users');
      expect(rows).toEqual([{ name: 'Ila' }]);
      const feed = await old!.pool.query(
        `select type::text, record_id, parent::text, seq, deleted_at is not null as is_deleted from sync_records order by seq`,
      );
      expect(feed.rows).toEqual([
        { type: 'experience', record_id: '7', parent: '3', seq: 65, is_deleted: false },
        { type: 'message', record_id: '7', parent: null, seq: 66, is_deleted: false },
        { type: 'skill', record_id: '8', parent: '3', seq: 67, is_deleted: true },
      ]);
      await withNodes(1, async ([fresh]) => {
        await migrateDatabase(fresh!.pool);
        expect(await getSchema(old!)).toEqual(await getSchema(fresh!));
      });
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
