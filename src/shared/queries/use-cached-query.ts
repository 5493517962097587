import { useCallback, useState, useSyncExternalStore } from 'react';
import type { AccountDb } from '#db/database.ts';
import { useAccount } from '#session/session.tsx';
import { getCachedResult, subscribeCached } from './query-cache.ts';

/**
 * A live query for a page that is left and opened again all the time: its last answer is there at once, for as long as it
 * is true.
 * @param name of the view; one name has one view at a time
 * @param of what it is a view of: an address, say
 * @param query a function of the module's own, the same one in every rendering
 */
export function useCachedQuery<Of extends string | null, T>(
  name: string,
  of: Of,
  query: (db: AccountDb, of: Of) => Promise<T>,
): T | undefined {
  const { db } = useAccount();
  const key = `${name} ${of ?? ''}`;
  const subscribe = useCallback(
    (tell: () => void) => subscribeCached(db, { name, key }, (store) => query(store, of), tell),
    [db, name, key, of, query],
  );
  const answer = useSyncExternalStore(subscribe, () => getCachedResult<T>(db, key));
  const [shown, setShown] = useState(answer);
  // What stood there stays until the answer for another key comes.
  if (answer !== undefined && answer !== shown) setShown(answer);
  const now = answer ?? shown;
  if (now && 'error' in now) throw now.error;
  return now?.value;
}
