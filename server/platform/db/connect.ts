import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Log } from '#server/platform/log.ts';

/** The database, or a transaction in it: both take the same queries. */
export type Db = Omit<NodePgDatabase, '$client'>;

export interface Database {
  db: Db;
  pool: pg.Pool;
  /**
   * Hears notices of PostgreSQL (`pg_notify`) on a connection of its own, which it opens again when it is lost. Notices sent in
   * between are missed. @returns what stops it
   */
  listen: (channel: string, onNotice: () => void) => Promise<() => Promise<void>>;
  close: () => Promise<void>;
}

/** What an address in DATABASE_URL or the embedded server gives. */
export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

const LISTEN_AGAIN_MS = 2000;

/** @see Database.listen */
function listener(connection: Connection, log: Log): Database['listen'] {
  return async (channel, onNotice) => {
    let client: pg.Client | null = null;
    let isStopped = false;
    let again: NodeJS.Timeout | undefined;
    const open = async () => {
      const opened = new pg.Client({
        ...connection,
        application_name: 'callboard notices',
        connectionTimeoutMillis: 5000,
        keepAlive: true,
      });
      client = opened;
      const retry = () => {
        if (isStopped || client !== opened) return;
        client = null;
        again = setTimeout(() => void open(), LISTEN_AGAIN_MS);
        again.unref();
      };
      opened.on('error', retry);
      opened.on('end', retry);
      opened.on('notification', onNotice);
      try {
        await opened.connect();
        await opened.query(`listen ${pg.escapeIdentifier(channel)}`);
        // Whatever was said while nobody listened.
        onNotice();
      } catch (error) {
        log.debug({ err: error }, 'cannot listen to the database');
        retry();
        await opened.end().catch(() => undefined);
      }
    };
    await open();
    return async () => {
      isStopped = true;
      clearTimeout(again);
      await client?.end();
    };
  };
}

/** Opens a pool. Connections are made when first needed; a query that takes over 15 s is ended. */
export function connect(connection: Connection, log: Log, connections = 10): Database {
  const pool = new pg.Pool({
    ...connection,
    max: connections,
    application_name: 'callboard',
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
  });
  // An idle connection that dies (the server restarts) must not end us; the next query gets a new one. The error itself
  // holds the whole client. A pool that ends lets go of its connections before they are closed.
  pool.on('error', ({ message }) => {
    if (!pool.ending) log.warn({ reason: message }, 'lost an idle database connection');
  });
  // One that dies in use fails its query or the next one of its transaction; an event that nobody hears would end us.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = drizzle(pool);
  // On a connection of our own: the library's would be lost to the pool where its `begin` fails, and the last one with it.
  db.transaction = async (work, settings) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, settings);
    } finally {
      client.release();
    }
  };
  return { db, pool, listen: listener(connection, log), close: () => pool.end() };
}
