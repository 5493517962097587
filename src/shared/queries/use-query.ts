import { useLayoutEffect, useState } from 'react';
import type { AccountDb } from '#db/database.ts';
import { observeQuery } from '#open-store/store.ts';
import { useAccount } from '#session/session.tsx';

/** The result of a query on a store, or its error. */
type QueryState<T> = { db: AccountDb; value: T } | { db: AccountDb; error: unknown };

/** Runs a live query on the account's store. Undefined until the first result, then always the latest one. */
export function useQuery<T>(query: (db: AccountDb) => Promise<T>, deps: unknown[]): T | undefined {
  return useStoreQuery(useAccount().db, query, deps);
}

/**
 * Like `useQuery`, for components that may have no account: undefined as long as there is none. When `deps` change, the
 * old result stays until the new one arrives.
 * @param deps values that the query uses besides the store; it runs again when one changes
 */
export function useStoreQuery<T>(
  db: AccountDb | null,
  query: (db: AccountDb) => Promise<T>,
  deps: unknown[],
): T | undefined {
  const [seen, setSeen] = useState<QueryState<T> | null>(null);
  // A layout effect starts the query before the page is painted, because a result takes a while.
  useLayoutEffect(() => {
    if (db === null) return;
    const show = (value: T) =>
      setSeen((now) => (now?.db === db && 'value' in now && Object.is(now.value, value) ? now : { db, value }));
    return observeQuery(db, query, show, (error) => setSeen({ db, error }));
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the caller says what the query depends on
  }, [db, ...deps]);
  if (seen === null || seen.db !== db) return undefined;
  if ('error' in seen) throw seen.error;
  return seen.value;
}
