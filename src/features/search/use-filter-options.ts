import { useEffect, useMemo, useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import { LOOKUP_CALLS } from '#contract/lookup-calls.ts';
import { PROFILE_TYPES } from '#contract/profile-types.ts';
import { loadLookup, type LookupEntry } from '#db/lookups.ts';
import { call } from '#net/client.ts';
import { refreshLookup } from '#shared/queries/lookups.ts';
import { useSession } from '#session/session.tsx';
import { useStoreQuery } from '#shared/queries/use-query.ts';

const ENDPOINTS = {
  industries: CALLS.industries,
  languages: CALLS.languages,
  language_accents: LOOKUP_CALLS.language_accents,
  media_languages: LOOKUP_CALLS.media_languages,
};
type LookupName = keyof typeof ENDPOINTS;

/** The options of each list filter. */
export interface FilterOptions {
  type: LookupEntry[];
  industry: LookupEntry[];
  language: LookupEntry[];
  accent: LookupEntry[];
  voice_language: LookupEntry[];
}

const TYPES = PROFILE_TYPES.map(({ slug, name }) => ({ id: slug, name }));

/** Returns the options of one lookup: for members from this device's store, for visitors from the server. */
function useOptions(name: LookupName): LookupEntry[] {
  const { account, state } = useSession();
  const db = account?.db ?? null;
  const [loaded, setLoaded] = useState<LookupEntry[]>([]);
  const stored = useStoreQuery(db, (on) => loadLookup(on, name), [name]);
  useEffect(() => {
    if (state === 'starting') return;
    if (db !== null) {
      refreshLookup(db, name, ENDPOINTS[name]).catch(reportError);
      return;
    }
    let isCurrent = true;
    call<{ id: string | number; name: string }[]>(ENDPOINTS[name])
      .then((answer) => {
        if (!isCurrent || !answer.ok || !Array.isArray(answer.data)) return;
        setLoaded(answer.data.map((each) => ({ id: String(each.id), name: each.name })));
      })
      .catch(reportError);
    return () => {
      isCurrent = false;
    };
  }, [db, state, name]);
  return stored ?? loaded;
}

/** Returns the options of all list filters. */
export function useFilterOptions(): FilterOptions {
  const industry = useOptions('industries');
  const language = useOptions('languages');
  const accent = useOptions('language_accents');
  const voice_language = useOptions('media_languages');
  return useMemo(
    () => ({ type: TYPES, industry, language, accent, voice_language }),
    [industry, language, accent, voice_language],
  );
}
