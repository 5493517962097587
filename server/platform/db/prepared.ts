import type { Db } from './connect.ts';

const statements = new WeakMap<Db, Map<string, unknown>>();

/**
 * A query that runs with nearly every request: put together once, and parsed once by each connection.
 * @param name unique among all, since PostgreSQL knows it by it
 */
export function prepared<T>(db: Db, name: string, prepare: (name: string) => T): T {
  const known = statements.get(db) ?? new Map<string, unknown>();
  statements.set(db, known);
  if (!known.has(name)) known.set(name, prepare(name));
  return known.get(name) as T;
}
