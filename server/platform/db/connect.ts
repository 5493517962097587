import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Log } from '#server/platform/log.ts';

/** The database or a transaction in it. */
export type Db = Omit<NodePgDatabase, '$client'>;

export interface Database {
  db: Db;
  pool: pg.Pool;
  /**
   * Listens to `pg_notify` on a dedicated connection, and reconnects when that is lost. Calls `onNotice` after each connection,
   * since notices sent in between are missed. @returns a function that stops listening
   */
  listen: (channel: string, onNotice: () => void) => Promise<() => Promise<void>>;
  close: () => Promise<void>;
}

/** Connection settings, from DATABASE_URL or from the embedded PostgreSQL. */
export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

const RECONNECT_DELAY_MS = 2000;

/** @see Database.listen */
function createListen(connection: Connection, log: Log): Database['listen'] {
  return async (channel, onNotice) => {
    let client: pg.Client | null = null;
    let isStopped = false;
    let reconnectTimer: NodeJS.Timeout | undefined;
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
        reconnectTimer = setTimeout(() => void open(), RECONNECT_DELAY_MS);
        reconnectTimer.unref();
      };
      opened.on('error', retry);
      opened.on('end', retry);
      opened.on('notification', onNotice);
      try {
        await opened.connect();
        await opened.query(`listen ${pg.escapeIdentifier(channel)}`);
        // Notices may have been sent before this connection listened.
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
      clearTimeout(reconnectTimer);
      await client?.end();
    };
  };
}

/** Opens a pool. Connections are opened on demand. Queries are canceled after 15 s. */
export function connect(connection: Connection, log: Log, maxConnections = 10): Database {
  const pool = new pg.Pool({
    ...connection,
    max: maxConnections,
    application_name: 'callboard',
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
  });
  // An idle connection that dies (PostgreSQL restarts) must not crash the process; the next query opens a new one. Only the message
  // is logged, since the error holds the whole client. A pool that is ending releases its connections before they close.
  pool.on('error', ({ message }) => {
    if (!pool.ending) log.warn({ reason: message }, 'lost an idle database connection');
  });
  // A connection that dies in use fails its query, or the next one of its transaction. An unhandled event would crash the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = drizzle(pool);
  // Drizzle never releases the connection when its `begin` fails, so the connection is acquired and released here.
  db.transaction = async (work, settings) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, settings);
    } finally {
      client.release();
    }
  };
  return { db, pool, listen: createListen(connection, log), close: () => pool.end() };
}
