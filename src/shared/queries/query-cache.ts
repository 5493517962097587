import type { AccountDb } from '#db/database.ts';
import { observeQuery } from '#session/store.ts';

/** What was read, or why it could not be. */
export type QueryResult<T> = { value: T } | { error: unknown };

interface CachedQuery {
  name: string;
  answer: QueryResult<unknown> | undefined;
  /** Told of each answer; with none, nobody looks. */
  readers: Set<() => void>;
  end: () => void;
}

const queriesByAccount = new WeakMap<AccountDb, Map<string, CachedQuery>>();

/** The last answer to a view's query while it is true: until the first change of what it read that nobody saw. */
export function getCachedResult<T>(db: AccountDb, key: string): QueryResult<T> | undefined {
  // Who opens a view under a key also says what its answers are.
  return queriesByAccount.get(db)?.get(key)?.answer as QueryResult<T> | undefined;
}

/**
 * Reads a view of the store, now and after every change. It outlives its last reader for as long as its answer is true,
 * so that a page left and opened again stands there at once. A change is heard some milliseconds after it was made: a page
 * opened in between shows what was there before it, and then what is.
 * @param key the name of the view and what it is of: a name's other views end when nobody reads them
 * @returns ends the reading
 */
export function subscribeCached<T>(
  db: AccountDb,
  { name, key }: { name: string; key: string },
  query: (db: AccountDb) => Promise<T>,
  tell: () => void,
): () => void {
  const ofAccount = queriesByAccount.get(db) ?? new Map<string, CachedQuery>();
  queriesByAccount.set(db, ofAccount);
  const drop = (at: string, view: CachedQuery) => {
    view.end();
    if (ofAccount.get(at) === view) ofAccount.delete(at);
  };
  for (const [at, view] of ofAccount) if (at !== key && view.name === name && view.readers.size === 0) drop(at, view);
  const view = ofAccount.get(key) ?? open();
  view.readers.add(tell);
  return () => {
    view.readers.delete(tell);
    if (view.readers.size === 0 && (!view.answer || 'error' in view.answer)) drop(key, view);
  };

  function open(): CachedQuery {
    const opened: CachedQuery = { name, answer: undefined, readers: new Set(), end: () => undefined };
    const publish = (answer: QueryResult<unknown>) => {
      if (opened.readers.size === 0) return drop(key, opened);
      opened.answer = answer;
      for (const reader of opened.readers) reader();
    };
    ofAccount.set(key, opened);
    opened.end = observeQuery(
      db,
      query,
      (value) => publish({ value }),
      (error) => publish({ error }),
    );
    return opened;
  }
}
