import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { connect, type Connection } from '#server/platform/db/connect.ts';
import { startPostgres } from '#server/platform/db/embedded.ts';
import { migrateDatabase } from '#server/platform/db/migrate.ts';
import { connectionTo } from './connection.ts';
import { quiet } from './quiet.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server whose databases tests make and drop. */
    postgres: Connection;
    /** The migrated database each test file's own is a copy of. */
    template: string;
  }
}

/** A server of our own for the run, or the one of DATABASE_URL. */
async function server(): Promise<{ connection: Connection; stop: () => Promise<void> }> {
  const given = process.env.DATABASE_URL;
  if (given) return { connection: { connectionString: given }, stop: async () => {} };
  const dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-tests-'));
  // What survives a power cut is no matter here; crash.test.ts runs its own server with everything on.
  const postgres = await startPostgres({ dataDir, log: quiet, settings: ['fsync=off', 'full_page_writes=off'] });
  const stop = async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { connection: { ...postgres.connection, database: 'postgres' }, stop };
}

/** One PostgreSQL for the run, with one migrated template in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connection, stop } = await server();
  const template = `callboard_template_${randomBytes(4).toString('hex')}`;
  const admin = new pg.Client(connection);
  await admin.connect();
  await admin.query(`create database ${template}`);
  const database = connect(connectionTo(connection, template), quiet);
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
