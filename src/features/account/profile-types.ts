import { useEffect, useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import type { ProfileType } from '#contract/records/profile.ts';
import { call } from '#net/client.ts';

const KEY = 'profile_types';

/** Reads the cached list. It is public and small, so it is in local storage. */
function readCachedTypes(): ProfileType[] | null {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(list) ? (list as ProfileType[]) : null;
  } catch {
    return null;
  }
}

/** Fetches and caches the list, so that the wizard also opens offline. Returns null if it cannot be fetched. */
export async function fetchProfileTypes(): Promise<ProfileType[] | null> {
  const answer = await call<ProfileType[]>(CALLS.profileTypes);
  if (!answer.ok || !Array.isArray(answer.data)) return null;
  try {
    localStorage.setItem(KEY, JSON.stringify(answer.data));
  } catch {
    // Storage is full or blocked: the list is fetched again next time.
  }
  return answer.data;
}

/** Returns the profile types: the cached list first, then the server's. `types` is null until one of them is available. */
export function useProfileTypes(): { types: ProfileType[] | null; isMissing: boolean } {
  const [types, setTypes] = useState(readCachedTypes);
  const [isFetched, setIsFetched] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void fetchProfileTypes().then((list) => {
      if (!isMounted) return;
      if (list) setTypes(list);
      setIsFetched(true);
    });
    return () => {
      isMounted = false;
    };
  }, []);
  return { types, isMissing: types === null && isFetched };
}
