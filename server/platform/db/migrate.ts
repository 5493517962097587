import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Logger, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { PROFILE_TYPES } from '#contract/profile-types.ts';
import { ConfigError } from '#server/platform/config.ts';
import { projectRoot } from '#server/platform/paths.ts';
import { LOCK } from './advisory-locks.ts';
import { INDUSTRIES, LANGUAGES } from './lookups.ts';
import { industries, installation, languages, profileTypes } from './schema.ts';

/** An error is thrown as well. */
const silent = new Logger(() => () => {});

/** The migrations of this release. */
export const MIGRATIONS_FOLDER = path.join(projectRoot, 'server/platform/db/migrations');

/**
 * Adds the trigram extension that the search uses. It ships with PostgreSQL, and the owner of a database may create it.
 * @throws ConfigError that says what the operator must do
 */
async function addTrigrams(client: pg.PoolClient): Promise<void> {
  await client.query('create extension if not exists pg_trgm').catch((error: Error) => {
    throw new ConfigError(
      `The database lacks the extension pg_trgm, which the search needs (${error.message}). ` +
        'Have its owner or an administrator run CREATE EXTENSION pg_trgm in it once; ' +
        'where PostgreSQL does not know it, install its contrib package first',
    );
  });
}

interface Journal {
  entries: { when: number; tag: string }[];
}
const readJournal = async (): Promise<Journal> =>
  JSON.parse(await readFile(path.join(MIGRATIONS_FOLDER, 'meta/_journal.json'), 'utf8')) as Journal;

/** The times of the migrations of this release, oldest first. They identify them. */
export const listMigrationTimes = async (): Promise<number[]> =>
  (await readJournal()).entries.map(({ when }) => when).sort((a, b) => a - b);

/** Runs `work` with a folder of the migrations up to a time. */
async function withMigrationsUntil(time: number, work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-migrations-'));
  try {
    await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
    const journal = await readJournal();
    const entries = journal.entries.filter(({ when }) => when <= time);
    await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Inserts what every database has. */
async function insertLists(db: NodePgDatabase): Promise<void> {
  await db
    .insert(installation)
    .values({ epoch: randomUUID().slice(0, 8) })
    .onConflictDoNothing();
  await db
    .insert(profileTypes)
    .values(PROFILE_TYPES.map(({ name, slug }) => ({ name, slug })))
    .onConflictDoNothing();
  await db
    .insert(industries)
    .values([...INDUSTRIES])
    .onConflictDoNothing();
  await db
    .insert(languages)
    .values([...LANGUAGES])
    .onConflictDoNothing();
}

/** Runs `work` on a connection of its own. Nodes that start together take turns. */
async function takeTurn(pool: pg.Pool, work: (db: NodePgDatabase) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [LOCK.migrations]);
    await addTrigrams(client);
    // Before ours, which may add jobs.
    await runMigrations({ pgPool: pool, logger: silent });
    await work(drizzle(client));
    // Unlock explicitly: when the connection ends, PostgreSQL notices it only some time after this function has returned.
    await client.query('select pg_advisory_unlock($1)', [LOCK.migrations]);
  } finally {
    // Close the connection instead of returning it to the pool: that resets the timeouts, and after an error the lock.
    client.release(true);
  }
}

/** Migrates the database to this version and inserts the lookup lists. */
export const migrateDatabase = (pool: pg.Pool): Promise<void> =>
  takeTurn(pool, async (db) => {
    await migrate(db, { migrationsFolder: MIGRATIONS_FOLDER });
    await insertLists(db);
  });

/** Migrates an empty database to an earlier version, and inserts nothing. For a backup of that version. */
export const migrateUntil = (pool: pg.Pool, time: number): Promise<void> =>
  takeTurn(pool, (db) => withMigrationsUntil(time, (folder) => migrate(db, { migrationsFolder: folder })));
