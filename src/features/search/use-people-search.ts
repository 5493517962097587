import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigationType } from '#ui/router.tsx';
import type { SearchRow } from '#contract/records/search.ts';
import type { SearchFilters } from '#lib/search-filters.ts';
import { useSession } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { findPeople, type SearchResult, toQueryString } from './find-people.ts';
import { keepLastResult, readLastResult } from './last-results.ts';

interface PeopleSearch {
  /** Null until the first response. */
  found: SearchResult | null;
  /** Whether the results belong to an earlier query, or more are loading. */
  isBusy: boolean;
  /** Loads the next page; null if there is none. */
  more: (() => void) | null;
  retry: () => void;
}

/** Appends the rows that are not there yet, because people can move between pages meanwhile. */
const appendNew = (before: readonly SearchRow[], rows: readonly SearchRow[]) => {
  const known = new Set(before.map(({ id, slug, profile_type }) => id || `${slug}/${profile_type.slug}`));
  return [...before, ...rows.filter(({ id }) => !known.has(id))];
};

/** Keeps the previous rows if the people on this device are the same, so that the number of rendered rows is kept. */
function keepIdentity(before: SearchResult | undefined, found: SearchResult): SearchResult {
  if (
    before?.status !== 'loaded' ||
    found.status !== 'loaded' ||
    before.source !== 'device' ||
    found.source !== 'device'
  )
    return found;
  // The reason can be another one, such as a server that fails after there was no signal.
  return JSON.stringify(before.rows) === JSON.stringify(found.rows) ? { ...found, rows: before.rows } : found;
}

/**
 * Searches for people who match the filters. The previous results stay until the new ones arrive. Searches again when the device
 * goes online.
 * @param filters null to search nothing
 * @param isPage whether the results are the page's, which Back restores. Suggestions are fewer, and would take their place
 */
export function usePeopleSearch(filters: SearchFilters | null, limit: number, isPage: boolean): PeopleSearch {
  const { account, state } = useSession();
  const isOnline = useOnline();
  const db = account?.db ?? null;
  const query = filters && toQueryString(filters);
  const isBack = useNavigationType() === 'POP' && isPage;
  const [result, setResult] = useState(() => (isBack ? readLastResult(db, query) : null));
  // Results restored by Back are not requested again, unless they came from this device only.
  const restoredQuery = useRef(result?.found.status === 'loaded' && result.found.source !== 'device' ? query : null);
  const [attempt, setAttempt] = useState(0);
  const search = useEffectEvent(() => findPeople({ db, filters: filters ?? {}, limit }));

  useEffect(() => {
    if (result && isPage) keepLastResult(db, result);
  }, [result, db, isPage]);

  useEffect(() => {
    if (query === null || state === 'starting') return;
    const isRestored = restoredQuery.current === query;
    restoredQuery.current = null;
    if (isRestored) return;
    let isCurrent = true;
    search()
      .then((found) => isCurrent && setResult((before) => ({ query, found: keepIdentity(before?.found, found) })))
      .catch(reportError);
    return () => {
      isCurrent = false;
    };
  }, [query, db, limit, state, isOnline, attempt]);

  const found = result?.found ?? null;
  const cursor = found?.status === 'loaded' ? found.cursor : null;
  const isBusy = query !== null && result?.query !== query;
  const [isAdding, setIsAdding] = useState(false);
  const more = () => {
    if (filters === null || isAdding) return;
    setIsAdding(true);
    findPeople({ db, filters, limit, cursor })
      .then((next) => {
        setResult((before) => {
          if (before?.query !== query || before.found.status !== 'loaded' || next.status !== 'loaded') return before;
          // The connection was lost: keep the results, so that more can be loaded later.
          if (next.source !== 'server') return before;
          return { query, found: { ...next, rows: appendNew(before.found.rows, next.rows) } };
        });
      })
      .catch(reportError)
      .finally(() => setIsAdding(false));
  };
  const retry = () => setAttempt((before) => before + 1);
  return { found, isBusy: isBusy || isAdding, more: cursor !== null && !isBusy ? more : null, retry };
}
