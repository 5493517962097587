import type { Connection } from '#server/platform/db/pool.ts';

/** Returns a connection to another database of the same server. */
export function withDatabase(server: Connection, database: string): Connection {
  if (!('connectionString' in server)) return { ...server, database };
  const url = new URL(server.connectionString);
  url.pathname = `/${database}`;
  return { connectionString: url.href };
}
