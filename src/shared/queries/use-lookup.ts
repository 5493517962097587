import { useEffect } from 'react';
import type { Endpoint } from '#contract/section.ts';
import { loadLookup, type LookupEntry } from '#db/lookups.ts';
import { refreshLookup } from '#shared/queries/lookups.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from './use-query.ts';

/**
 * A list to choose from, by the name it is kept under: what lies on this device, refreshed in silence when there is signal.
 * Empty where this device never had it.
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
