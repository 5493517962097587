import { useEffect } from 'react';
import type { Connection } from '#contract/records/people.ts';
import { SEARCH_CALLS } from '#contract/search-calls.ts';
import type { AccountDb } from '#db/database.ts';
import { call } from '#net/client.ts';
import { useAccount } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { useQuery } from '#shared/queries/use-query.ts';

async function readCachedSuggestions(db: AccountDb): Promise<Connection[]> {
  const row = await db.meta.get('suggestions');
  return row && 'people' in row ? row.people : [];
}

async function refreshSuggestions(db: AccountDb): Promise<void> {
  const answer = await call<Connection[]>(SEARCH_CALLS.suggestedConnections);
  // On a network error the last suggestions stay readable. A server without this endpoint has none.
  if (answer.ok && Array.isArray(answer.data)) await db.meta.put({ k: 'suggestions', people: answer.data });
  else if (!answer.ok && answer.error.reason === 'missing') await db.meta.delete('suggestions');
}

/** People whom the server suggests, cached on this device so that they can be seen and asked offline. */
export function useSuggestions(): Connection[] | undefined {
  const { db } = useAccount();
  const isOnline = useOnline();
  useEffect(() => {
    if (isOnline) refreshSuggestions(db).catch(reportError);
  }, [db, isOnline]);
  return useQuery(readCachedSuggestions, []);
}
