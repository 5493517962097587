import { useEffect } from 'react';
import type { Endpoint } from '#contract/section.ts';
import { keepLookup, loadLookup, type LookupEntry } from '#db/lookups.ts';
import { call } from '#net/client.ts';
import { useAccount } from './session.tsx';
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
    let isCurrent = true;
    const refresh = async () => {
      const answer = await call<{ id: string | number; name: string }[]>({ method, path });
      if (!isCurrent || !answer.ok || !Array.isArray(answer.data)) return;
      await keepLookup(
        db,
        name,
        answer.data.map((entry) => ({ id: String(entry.id), name: entry.name })),
      );
    };
    refresh().catch(reportError);
    return () => {
      isCurrent = false;
    };
  }, [db, name, method, path]);
  return kept ?? [];
}
