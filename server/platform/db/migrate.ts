import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Logger, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { PROFILE_TYPES } from '#contract/profile-types.ts';
import { ConfigError } from '#server/platform/config.ts';
import { projectRoot } from '#server/platform/paths.ts';
import { INDUSTRIES, LANGUAGES } from './lookups.ts';
import { industries, installation, languages, profileTypes } from './schema.ts';

/** An error is thrown as well. */
const silent = new Logger(() => () => {});

/** The migrations of this release. */
export const MIGRATIONS_FOLDER = path.join(projectRoot, 'server/platform/db/migrations');

/** Advisory lock; any number, but the same on every node. */
const MIGRATION_LOCK = 7_061_948_211;

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

/**
 * Migrates the database to this version and inserts the lookup lists. Nodes that start together take turns.
 */
export async function migrateDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await addTrigrams(client);
    // Before ours, which may add jobs.
    await runMigrations({ pgPool: pool, logger: silent });
    const db = drizzle(client);
    await migrate(db, { migrationsFolder: MIGRATIONS_FOLDER });
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
    // Unlock explicitly: when the connection ends, PostgreSQL notices it only some time after this function has returned.
    await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  } finally {
    // Close the connection instead of returning it to the pool: that resets the timeouts, and after an error the lock.
    client.release(true);
  }
}
