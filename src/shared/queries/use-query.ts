import { useLayoutEffect, useState } from 'react';
import type { AccountDb } from '#db/database.ts';
import { observeQuery } from '#session/store.ts';
import { useAccount } from '#session/session.tsx';

/** What was read of a store, or why it could not be. */
type QueryState<T> = { db: AccountDb; value: T } | { db: AccountDb; error: unknown };

/** A live query over the account's store: undefined until the first answer, then always the newest. */
export function useQuery<T>(query: (db: AccountDb) => Promise<T>, deps: unknown[]): T | undefined {
  return useQueryOf(useAccount().db, query, deps);
}

/**
 * The same where there may be no account: undefined as long as there is none. What stood there stays until the answer to
 * what is asked now has come.
 * @param deps what the query reads beside the store; when one changes, it is asked anew
 */
export function useQueryOf<T>(
  db: AccountDb | null,
  query: (db: AccountDb) => Promise<T>,
  deps: unknown[],
): T | undefined {
  const [seen, setSeen] = useState<QueryState<T> | null>(null);
  // Before the page is painted: an answer takes a while, so that the sooner it is asked for, the better.
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
