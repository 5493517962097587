import type { AccountDb } from '#db/database.ts';
import { observeQuery } from '#open-store/store.ts';

/** The result of a query, or its error. */
export type QueryResult<T> = { value: T } | { error: unknown };

interface CachedQuery {
  name: string;
  result: QueryResult<unknown> | undefined;
  /** Called after each result. Without readers, the query ends at the next change. */
  readers: Set<() => void>;
  end: () => void;
}

const queriesByAccount = new WeakMap<AccountDb, Map<string, CachedQuery>>();

/** Returns the last result of a query while it is current, or undefined. */
export function getCachedResult<T>(db: AccountDb, key: string): QueryResult<T> | undefined {
  // Callers use a key for one query only, so the type is that of its results.
  return queriesByAccount.get(db)?.get(key)?.result as QueryResult<T> | undefined;
}

/**
 * Runs a query on the store, now and after every change. It stays open after its last reader until its result changes,
 * so that a page opened again renders at once. A change is published some milliseconds after it was made: a page opened
 * in between shows the old result first.
 * @param key the query's name and parameter. Other queries of the same name are closed if nobody reads them
 * @returns a function that unsubscribes
 */
export function subscribeCached<T>(
  db: AccountDb,
  { name, key }: { name: string; key: string },
  query: (db: AccountDb) => Promise<T>,
  onResult: () => void,
): () => void {
  const queries = queriesByAccount.get(db) ?? new Map<string, CachedQuery>();
  queriesByAccount.set(db, queries);
  const drop = (at: string, cached: CachedQuery) => {
    cached.end();
    if (queries.get(at) === cached) queries.delete(at);
  };
  for (const [at, cached] of queries)
    if (at !== key && cached.name === name && cached.readers.size === 0) drop(at, cached);
  const cached = queries.get(key) ?? open();
  cached.readers.add(onResult);
  return () => {
    cached.readers.delete(onResult);
    if (cached.readers.size === 0 && (!cached.result || 'error' in cached.result)) drop(key, cached);
  };

  function open(): CachedQuery {
    const opened: CachedQuery = { name, result: undefined, readers: new Set(), end: () => undefined };
    const publish = (result: QueryResult<unknown>) => {
      if (opened.readers.size === 0) return drop(key, opened);
      opened.result = result;
      for (const reader of opened.readers) reader();
    };
    queries.set(key, opened);
    opened.end = observeQuery(
      db,
      query,
      (value) => publish({ value }),
      (error) => publish({ error }),
    );
    return opened;
  }
}
