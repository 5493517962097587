import type { QueryResultRow } from 'pg';
import { getClient, type Db } from './connect.ts';

const statements = new WeakMap<Db, Map<string, unknown>>();

/**
 * Returns a prepared query, for queries that run with nearly every request. It is parsed once per connection, and built once for the
 * pool and once for the transactions of each connection.
 * @param name name of the prepared statement in PostgreSQL; must be unique
 */
export function prepared<T>(db: Db, name: string, prepare: (name: string) => T): T {
  const known = statements.get(db) ?? new Map<string, unknown>();
  statements.set(db, known);
  if (!known.has(name)) known.set(name, prepare(name));
  return known.get(name) as T;
}

/**
 * Runs SQL that Drizzle cannot express as a prepared statement, parsed once per connection.
 * @param name name of the prepared statement in PostgreSQL; must be unique
 * @param text SQL with $1, $2 … for the values
 */
export async function runPrepared<Row extends QueryResultRow>(
  db: Db,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await getClient(db).query<Row>({ name, text, values })).rows;
}
