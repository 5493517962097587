import type { ReactNode } from 'react';
import { loadLookup, type LookupEntry } from '#db/lookups.ts';
import { useQuery } from '#shared/queries/use-query.ts';

interface NamesFromLookupProps {
  children: (listed: readonly LookupEntry[] | undefined) => ReactNode;
}

/** Passes on the stored lookup list of languages, undefined until it has been read. */
export function NamesFromLookup({ children }: NamesFromLookupProps) {
  return children(useQuery((db) => loadLookup(db, 'languages'), []));
}
