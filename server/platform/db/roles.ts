import { readFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { projectRoot } from '#server/platform/paths.ts';
import type { Connection } from './pool.ts';

/** Owner of the embedded cluster and a superuser. Only the supervisor uses it: see `docs/decisions/033-database-role.md`. */
export const SUPERUSER = 'callboard';
/** The role of the server: it owns its database, and has no other rights. */
const APP_ROLE = 'callboard_app';
const DATABASE = 'callboard';

/** Connection settings of an embedded PostgreSQL for its superuser, without a database. */
export interface Cluster {
  host: string;
  port: number;
  user: string;
}

/** The settings with which the server connects to an embedded PostgreSQL. */
export const asApplication = ({ host, port }: Cluster): Connection => ({
  host,
  port,
  user: APP_ROLE,
  database: DATABASE,
});

async function runInDatabase<T>(
  cluster: Cluster,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...cluster, database });
  // A lost connection also fails the query that is running. An unhandled event would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Creates the database and its role when they are missing, and gives the role everything in it that belongs to somebody else. */
export async function prepareDatabase(cluster: Cluster): Promise<void> {
  await runInDatabase(cluster, 'postgres', async (client) => {
    const found = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  });
  const script = await readFile(path.join(projectRoot, 'server/platform/db/roles.sql'), 'utf8');
  await runInDatabase(cluster, DATABASE, (client) => client.query(script));
}

/** Whether the running PostgreSQL has the role. A server of a release before it does not create it. */
export const hasAppRole = (cluster: Cluster): Promise<boolean> =>
  runInDatabase(cluster, 'postgres', async (client) => {
    const found = await client.query('select from pg_roles where rolname = $1', [APP_ROLE]);
    return found.rowCount === 1;
  });
