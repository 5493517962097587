import { useEffect, useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import type { ProfileType } from '#contract/records/profile.ts';
import { call } from '#net/client.ts';

const KEY = 'profile_types';

/** The list as it was last fetched here. It is public and small, so local storage will do. */
function readCachedTypes(): ProfileType[] | null {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null');
    return Array.isArray(list) ? (list as ProfileType[]) : null;
  } catch {
    return null;
  }
}

/** Fetches the list and keeps it, so that the wizard opens without signal later. Quiet: the wizard says what is missing. */
export async function fetchProfileTypes(): Promise<ProfileType[] | null> {
  const answer = await call<ProfileType[]>(CALLS.profileTypes);
  if (!answer.ok || !Array.isArray(answer.data)) return null;
  try {
    localStorage.setItem(KEY, JSON.stringify(answer.data));
  } catch {
    // Storage is full or closed: the list is fetched again next time.
  }
  return answer.data;
}

/** The kinds of profile: the kept list at once, the server's when it comes; null while there is neither. */
export function useProfileTypes(): { types: ProfileType[] | null; isMissing: boolean } {
  const [types, setTypes] = useState(readCachedTypes);
  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => {
    let isHere = true;
    void fetchProfileTypes().then((list) => {
      if (!isHere) return;
      if (list) setTypes(list);
      setIsAsked(true);
    });
    return () => {
      isHere = false;
    };
  }, []);
  return { types, isMissing: types === null && isAsked };
}
