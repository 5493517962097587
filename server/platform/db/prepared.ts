import type { Db } from './connect.ts';

const statements = new WeakMap<Db, Map<string, unknown>>();

/**
 * Returns a prepared query, for queries that run with nearly every request. It is built once and parsed once per connection.
 * @param name name of the prepared statement in PostgreSQL; must be unique
 */
export function prepared<T>(db: Db, name: string, prepare: (name: string) => T): T {
  const known = statements.get(db) ?? new Map<string, unknown>();
  statements.set(db, known);
  if (!known.has(name)) known.set(name, prepare(name));
  return known.get(name) as T;
}
