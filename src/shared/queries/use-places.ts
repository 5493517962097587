import { useEffect, useMemo } from 'react';
import { CALLS } from '#contract/calls.ts';
import type { Profile } from '#contract/records/profile.ts';
import { keepLookup } from '#db/lookups.ts';
import { listKnownPlaces, LISTED_PLACES } from '#db/places.ts';
import { rankByUse } from '#lib/suggest.ts';
import { call } from '#net/client.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from './use-query.ts';

/** Number of profiles whose cities are collected. */
const PROFILE_LIMIT = '100';

/** Returns cities to suggest, the most used first: from this device at once, and from listed profiles when online. */
export function usePlaces(): string[] {
  const { db } = useAccount();
  const known = useQuery(listKnownPlaces, []);
  useEffect(() => {
    let isCurrent = true;
    const refresh = async () => {
      const answer = await call<Profile[]>(CALLS.profiles, { query: { limit: PROFILE_LIMIT } });
      if (!isCurrent || !answer.ok || !Array.isArray(answer.data)) return;
      const places = answer.data.flatMap(({ id, location }) => (location ? [{ id: String(id), name: location }] : []));
      await keepLookup(db, LISTED_PLACES, places);
    };
    refresh().catch(reportError);
    return () => {
      isCurrent = false;
    };
  }, [db]);
  return useMemo(() => rankByUse(known ?? []), [known]);
}
