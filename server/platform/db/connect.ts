import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import type { Log } from '#server/platform/log.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';
import { openPool, reportWaits, type Connection } from './pool.ts';

interface TransactionSettings {
  isolationLevel?: 'repeatable read' | 'serializable';
  accessMode?: 'read only';
  /** Statements without parameters that are sent together with `begin`, in one round trip. */
  opening?: string;
}

/** The database or a transaction in it. */
export type Db = Omit<NodePgDatabase, '$client' | 'transaction'> & {
  /**
   * Runs `work` in a transaction, and commits when it resolves. Inside a transaction, `work` becomes part of that one.
   * `opened` holds the results of `settings.opening`, one per statement.
   */
  transaction<T>(work: (tx: Db, opened: pg.QueryResult[]) => Promise<T>, settings?: TransactionSettings): Promise<T>;
};

/** The connection behind a `Db`: the pool, or the client of a transaction. Drizzle keeps it in a field that `Db` hides. */
export const getClient = (db: Db): Pick<pg.ClientBase, 'query'> => (db as Db & { $client: pg.ClientBase }).$client;

export interface Database {
  db: Db;
  pool: pg.Pool;
  /** For parts that need connections of their own. */
  connection: Connection;
  /**
   * Listens to `pg_notify` on a dedicated connection, and reconnects when that is lost. Calls `onNotice` after each connection,
   * since notices sent in between are missed. @returns a function that stops listening
   */
  listen: (channel: string, onNotice: () => void) => Promise<() => Promise<void>>;
  close: () => Promise<void>;
}

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
        log.debug(describeFailure(error), 'cannot listen to the database');
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

const withTransaction = (database: Omit<NodePgDatabase, 'transaction'>, transaction: Db['transaction']): Db =>
  Object.assign(database, { transaction });

/** Each connection keeps its `Db`, so that statements prepared in one transaction serve the next ones (`prepared`). */
const databases = new WeakMap<pg.PoolClient, Db>();

function getDatabase(client: pg.PoolClient): Db {
  const known = databases.get(client);
  if (known) return known;
  const opened: Db = withTransaction(drizzle(client), (work) => work(opened, []));
  databases.set(client, opened);
  return opened;
}

function toBegin({ isolationLevel, accessMode, opening = '' }: TransactionSettings): string {
  const modes = [isolationLevel && ` isolation level ${isolationLevel}`, accessMode && ` ${accessMode}`];
  return `begin${modes.filter(Boolean).join('')};${opening}`;
}

/** Runs `work` in a transaction on this connection, then returns the connection to the pool. @see Db.transaction */
async function runTransaction<T>(
  client: pg.PoolClient,
  work: (tx: Db, opened: pg.QueryResult[]) => Promise<T>,
  settings: TransactionSettings = {},
): Promise<T> {
  let isBroken = false;
  try {
    // pg returns a single result for one statement, and an array for several.
    const [, ...opened] = [await client.query(toBegin(settings))].flat();
    const result = await work(getDatabase(client), opened);
    const { command } = await client.query('commit');
    // PostgreSQL answers the commit of a failed transaction with a rollback instead of an error.
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back, because one of its statements failed');
    return result;
  } catch (error) {
    // A connection that cannot roll back must not return to the pool. The first error explains more than this one.
    await client.query('rollback').catch(() => {
      isBroken = true;
    });
    throw error;
  } finally {
    client.release(isBroken);
  }
}

interface PoolOptions {
  maxConnections?: number;
  /** Is told how many seconds each query or transaction has waited for its connection. */
  onWait?: ((seconds: number) => void) | undefined;
}

/** Opens a pool. Connections are opened on demand. Queries are canceled after 15 s. */
export function connect(connection: Connection, log: Log, { maxConnections = 10, onWait }: PoolOptions = {}): Database {
  const pool = openPool(connection, log, {
    max: maxConnections,
    application_name: 'callboard',
    connectionTimeoutMillis: 5000,
    statement_timeout: 15_000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 15_000,
  });
  if (onWait) reportWaits(pool, onWait);
  const db = withTransaction(drizzle(pool), async (work, settings) =>
    runTransaction(await pool.connect(), work, settings),
  );
  return { db, pool, connection, listen: createListen(connection, log), close: () => pool.end() };
}
