import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { connect } from '#server/platform/db/connect.ts';
import { startPostgres } from '#server/platform/db/embedded.ts';
import { migrateDatabase } from '#server/platform/db/migrate.ts';
import type { Connection } from '#server/platform/db/pool.ts';
import { withDatabase } from './database.ts';
import { quietLog } from './quiet.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server on which tests create and drop databases. */
    postgres: Connection;
    /** The migrated database that is copied for each test file. */
    template: string;
  }
}

/** Starts a PostgreSQL for this run, or uses the one of DATABASE_URL. */
async function openPostgres(): Promise<{ connection: Connection; stop: () => Promise<void> }> {
  const url = process.env.DATABASE_URL;
  if (url) return { connection: { connectionString: url }, stop: async () => {} };
  const dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-tests-'));
  // Durability does not matter here. crash.test.ts starts its own server with all safeguards on.
  const postgres = await startPostgres({ dataDir, log: quietLog, settings: ['fsync=off', 'full_page_writes=off'] });
  const stop = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { connection: { ...postgres.connection, database: 'postgres' }, stop };
}

/** Prepares one PostgreSQL with one migrated template database for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connection, stop } = await openPostgres();
  const template = `callboard_template_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${template}`);
  const database = connect(withDatabase(connection, template), quietLog);
  await migrateDatabase(database.pool);
  await database.close();
  project.provide('postgres', connection);
  project.provide('template', template);
  return async () => {
    await admin.query(`drop database ${template} with (force)`);
    await admin.end();
    await stop();
  };
}
