import pg from 'pg';
import { ConfigError, type Config } from '#server/platform/config.ts';
import type { Log } from '#server/platform/log.ts';
import { connect, type Database } from './connect.ts';
import { findRunningPostgres, startPostgres } from './embedded.ts';
import { migrateDatabase } from './migrate.ts';

const NAME = 'callboard';

async function ensureDatabase(connection: { host: string; port: number; user: string }): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [NAME]);
    if (found.rowCount === 0) await client.query(`create database ${NAME}`);
  } finally {
    await client.end();
  }
}

type OnWait = (seconds: number) => void;

async function openEmbedded(config: Config, log: Log, onWait?: OnWait): Promise<Database> {
  const postgres = await startPostgres({ dataDir: config.dataDir, log });
  try {
    await ensureDatabase(postgres.connection);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  const database = connect({ ...postgres.connection, database: NAME }, log, { onWait });
  const close = async () => {
    await database.close();
    await postgres.stop();
  };
  return { ...database, close };
}

async function openExternal(url: string, log: Log, onWait?: OnWait): Promise<Database> {
  const database = connect({ connectionString: url }, log, { onWait });
  await database.pool.query('select 1').catch(async (error: Error) => {
    await database.close();
    throw new ConfigError(`DATABASE_URL cannot be reached: ${error.message}`);
  });
  return database;
}

/**
 * Opens the configured database for a command-line tool. Uses the embedded PostgreSQL of a running server, or starts one.
 * @throws ConfigError with a one-line message when the database cannot be opened
 */
export async function openForTools(config: Config, log: Log): Promise<Database> {
  const running = config.databaseUrl ? null : await findRunningPostgres(config.dataDir);
  return running === null
    ? openDatabase(config, log)
    : connect({ ...running, database: NAME }, log, { maxConnections: 2 });
}

/**
 * Opens the configured database and migrates it. `close` also stops an embedded PostgreSQL.
 * @param onWait is told how many seconds each use of the pool has waited for its connection
 * @throws ConfigError with a one-line message when the database cannot be opened
 */
export async function openDatabase(config: Config, log: Log, onWait?: OnWait): Promise<Database> {
  const database = config.databaseUrl
    ? await openExternal(config.databaseUrl, log, onWait)
    : await openEmbedded(config, log, onWait);
  try {
    await migrateDatabase(database.pool);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
