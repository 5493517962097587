import { existsSync } from 'node:fs';
import path from 'node:path';
import { ConfigError, type Config } from '#server/platform/config.ts';
import type { Log } from '#server/platform/log.ts';
import { connect, type Database } from './connect.ts';
import { findRunningPostgres, startPostgres } from './embedded.ts';
import { migrateDatabase } from './migrate.ts';
import { asApplication, hasAppRole, prepareDatabase } from './roles.ts';

/** Is told how many seconds a use of the pool has waited for its connection. */
type OnWait = (seconds: number) => void;

/** Starts the embedded PostgreSQL of a data directory, and connects to it as the application. */
export async function openEmbedded(dataDir: string, log: Log, onWait?: OnWait): Promise<Database> {
  const postgres = await startPostgres({ dataDir, log });
  try {
    await prepareDatabase(postgres.connection);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
  const database = connect(asApplication(postgres.connection), log, { onWait });
  const close = async () => {
    await database.close();
    await postgres.stop();
  };
  return { ...database, close };
}

export async function openExternal(url: string, log: Log, onWait?: OnWait): Promise<Database> {
  const database = connect({ connectionString: url }, log, { onWait });
  await database.pool.query('select 1').catch(async (error: Error) => {
    await database.close();
    throw new ConfigError(`DATABASE_URL cannot be reached: ${error.message}`);
  });
  return database;
}

const openWithoutMigrating = ({ databaseUrl, dataDir }: Config, log: Log, onWait?: OnWait): Promise<Database> =>
  databaseUrl ? openExternal(databaseUrl, log, onWait) : openEmbedded(dataDir, log, onWait);

/** Connections of a tool beside a running server. */
const TOOL_CONNECTIONS = 2;

/** Connects to the embedded PostgreSQL of a running server; null when none runs. */
async function openRunning({ databaseUrl, dataDir }: Config, log: Log): Promise<Database | null> {
  const running = databaseUrl ? null : await findRunningPostgres(dataDir);
  if (running === null) return null;
  if (!(await hasAppRole(running))) {
    throw new ConfigError(
      `The server on ${dataDir} is of an earlier release; restart it with this one, then try again`,
    );
  }
  return connect(asApplication(running), log, { maxConnections: TOOL_CONNECTIONS });
}

/**
 * Opens the configured database for a command-line tool. Uses the embedded PostgreSQL of a running server, or starts one.
 * @throws ConfigError with a one-line message when the database cannot be opened
 */
export async function openForTools(config: Config, log: Log): Promise<Database> {
  return (await openRunning(config, log)) ?? openDatabase(config, log);
}

/** As `openForTools`, but creates no database, and leaves it at the release that last used it. For a backup before an upgrade. */
export async function openUnchanged(config: Config, log: Log): Promise<Database> {
  if (!config.databaseUrl && !existsSync(path.join(config.dataDir, 'postgres'))) {
    throw new ConfigError(`There is no database in ${config.dataDir}. Set DATA_DIR to the folder of the server`);
  }
  return (await openRunning(config, log)) ?? openWithoutMigrating(config, log);
}

/**
 * Opens the configured database and migrates it. `close` also stops an embedded PostgreSQL.
 * @throws ConfigError with a one-line message when the database cannot be opened
 */
export async function openDatabase(config: Config, log: Log, onWait?: OnWait): Promise<Database> {
  const database = await openWithoutMigrating(config, log, onWait);
  try {
    await migrateDatabase(database.pool);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
