import pg from 'pg';
import type { Log } from '#server/platform/log.ts';

/** Connection settings, from DATABASE_URL or from the embedded PostgreSQL. */
export type Connection = { connectionString: string } | { host: string; port: number; user: string; database: string };

/** Reports how many seconds each use of the pool waits for its connection. */
export function reportWaits(pool: pg.Pool, onWait: (seconds: number) => void): void {
  type Callback = Parameters<pg.Pool['connect']>[0];
  const connect = pool.connect.bind(pool) as (callback?: Callback) => Promise<pg.PoolClient> | void;
  // Queries of the pool go through this method as well, with a callback.
  pool.connect = ((callback?: Callback) => {
    const startedAt = performance.now();
    const report = () => onWait((performance.now() - startedAt) / 1000);
    if (callback === undefined) return (connect() as Promise<pg.PoolClient>).finally(report);
    return connect((...result) => {
      report();
      callback(...result);
    });
  }) as pg.Pool['connect'];
}

/** Opens a pool that survives the loss of its connections. They are opened on demand. */
export function openPool(connection: Connection, log: Log, settings: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...connection, idleTimeoutMillis: 60_000, ...settings });
  // An idle connection that dies (PostgreSQL restarts) must not crash the process; the next query opens a new one. Only the message
  // is logged, since the error holds the whole client. A pool that is ending releases its connections before they close.
  pool.on('error', ({ message }) => {
    if (!pool.ending) log.warn({ reason: message }, 'lost an idle database connection');
  });
  // A connection that dies in use fails its query, or the next one of its transaction. An unhandled event would crash the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
