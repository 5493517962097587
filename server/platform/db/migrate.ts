import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import type pg from 'pg';
import { PROFILE_TYPES } from '#contract/profile-types.ts';
import { ConfigError } from '#server/platform/config.ts';
import { projectRoot } from '#server/platform/paths.ts';
import { INDUSTRIES, LANGUAGES } from './lookups.ts';
import { industries, installation, languages, profileTypes } from './schema.ts';

/** Any number will do, as long as every node of this application takes the same. */
const LOCK = 7_061_948_211;

/**
 * What the search compares words with. It comes with PostgreSQL and any owner of a database may add it to theirs.
 * @throws ConfigError that says what to do
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
 * Brings the database to this version and lays down what every installation has. Nodes that start together take turns.
 */
export async function migrateDatabase(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('set lock_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await addTrigrams(client);
    const db = drizzle(client);
    await migrate(db, { migrationsFolder: path.join(projectRoot, 'server/platform/db/migrations') });
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
    // By name, so that it is free when we say that we are done: of a connection that ends the database hears later.
    await client.query('select pg_advisory_unlock($1)', [LOCK]);
  } finally {
    // Not back into the pool: the lifted timeouts end with the connection, and after an error the lock does too.
    client.release(true);
  }
}
