import { useEffect } from 'react';
import type { Endpoint } from '#contract/section.ts';
import { loadLookup, type LookupEntry } from '#db/lookups.ts';
import { refreshLookup } from '#shared/queries/lookups.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from './use-query.ts';

/**
 * Returns a list to choose from as stored on this device, and refreshes it in the background when online. Empty if this
 * device never loaded it.
 * @param name under which the list is stored
 */
export function useLookup(name: string, endpoint: Pick<Endpoint, 'method' | 'path'>): LookupEntry[] {
  const { db } = useAccount();
  const kept = useQuery((store) => loadLookup(store, name), [name]);
  const { method, path } = endpoint;
  useEffect(() => {
    refreshLookup(db, name, { method, path }).catch(reportError);
  }, [db, name, method, path]);
  return kept ?? [];
}
