import { useEffect } from 'react';
import { CALLS } from '#contract/calls.ts';
import { keepLookup, loadLookup, type LookupEntry } from '#db/lookups.ts';
import { call } from '#net/client.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#session/use-query.ts';

const NAME = 'project_types';

/** Kinds of project to choose from: the list kept on this device, refreshed in silence when there is signal. */
export function useProjectTypes(): LookupEntry[] {
  const { db } = useAccount();
  const kept = useQuery((store) => loadLookup(store, NAME), []);
  useEffect(() => {
    let isCurrent = true;
    const refresh = async () => {
      const answer = await call<LookupEntry[]>(CALLS.projectTypes);
      if (isCurrent && answer.ok) await keepLookup(db, NAME, answer.data);
    };
    refresh().catch(reportError);
    return () => {
      isCurrent = false;
    };
  }, [db]);
  return kept ?? [];
}
