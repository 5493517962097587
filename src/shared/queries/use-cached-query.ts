import { useCallback, useState, useSyncExternalStore } from 'react';
import type { AccountDb } from '#db/database.ts';
import { useAccount } from '#session/session.tsx';
import { getCachedResult, subscribeCached } from './query-cache.ts';

/**
 * A live query for a page that is often left and opened again: it returns its last result at once, as long as it is
 * current.
 * @param name of the query; only one query of a name is cached at a time
 * @param of the query's parameter, such as a path
 * @param query a function with a stable identity, defined at module level
 */
export function useCachedQuery<Of extends string | null, T>(
  name: string,
  of: Of,
  query: (db: AccountDb, of: Of) => Promise<T>,
): T | undefined {
  const { db } = useAccount();
  const key = `${name} ${of ?? ''}`;
  const subscribe = useCallback(
    (onResult: () => void) => subscribeCached(db, { name, key }, (store) => query(store, of), onResult),
    [db, name, key, of, query],
  );
  const result = useSyncExternalStore(subscribe, () => getCachedResult<T>(db, key));
  const [shown, setShown] = useState(result);
  // The old result stays until there is one for the new key.
  if (result !== undefined && result !== shown) setShown(result);
  const now = result ?? shown;
  if (now && 'error' in now) throw now.error;
  return now?.value;
}
