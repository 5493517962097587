import { useCallback, useEffect, useRef, useState } from 'react';
import { useNavigationType } from 'react-router-dom';
import type { SearchRow } from '#contract/records/search.ts';
import type { SearchFilters } from '#lib/search-filters.ts';
import { useSession } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { findPeople, type SearchResult, toQueryString } from './find-people.ts';

interface PeopleSearch {
  /** Null until the first answer. */
  found: SearchResult | null;
  /** The people on the screen are those of an earlier question. */
  isBusy: boolean;
  /** Asks for the next page; null where there is none. */
  more: (() => void) | null;
  retry: () => void;
}

/** Rows without those that are there already: people move between pages while one reads. */
const appendNew = (before: readonly SearchRow[], rows: readonly SearchRow[]) => {
  const known = new Set(before.map(({ id, slug, profile_type }) => id || `${slug}/${profile_type.slug}`));
  return [...before, ...rows.filter(({ id }) => !known.has(id))];
};

/** The same people on the same device are the same answer: as many of them stay on the screen as were asked for. */
function keepIdentity(before: SearchResult | undefined, found: SearchResult): SearchResult {
  if (before?.is !== 'here' || found.is !== 'here' || before.from !== 'device' || found.from !== 'device') return found;
  return JSON.stringify(before.rows) === JSON.stringify(found.rows) ? before : found;
}

interface Answer {
  query: string;
  found: SearchResult;
}

/** The last answer to each account, and to visitors: whoever comes back from a profile stands where they were. */
const lastAnswers = new WeakMap<object, Answer>();
const VISITOR_KEY = {};

/**
 * Who fits, as the filters stand; the answer before it stays until the new one is here. Asks again when there is signal.
 * @param filters null asks nothing
 */
export function usePeopleSearch(filters: SearchFilters | null, limit: number): PeopleSearch {
  const { account, state } = useSession();
  const isOnline = useOnline();
  const db = account?.db ?? null;
  const query = filters && toQueryString(filters);
  const isBack = useNavigationType() === 'POP';
  const [answer, setAnswer] = useState<Answer | null>(() => {
    const last = isBack ? lastAnswers.get(db ?? VISITOR_KEY) : undefined;
    return last?.query === query ? last : null;
  });
  // Nobody is asked for what Back shows, but where more people may be found by now.
  const shown = useRef(answer?.found.is === 'here' && answer.found.from !== 'device' ? query : null);
  const [turn, setTurn] = useState(0);
  const asked = useRef(filters);
  useEffect(() => {
    asked.current = filters;
  });

  useEffect(() => {
    if (answer) lastAnswers.set(db ?? VISITOR_KEY, answer);
  }, [answer, db]);

  useEffect(() => {
    if (query === null || state === 'starting') return;
    const isShown = shown.current === query;
    shown.current = null;
    if (isShown) return;
    let isCurrent = true;
    findPeople({ db, filters: asked.current ?? {}, limit })
      .then((found) => isCurrent && setAnswer((before) => ({ query, found: keepIdentity(before?.found, found) })))
      .catch(reportError);
    return () => {
      isCurrent = false;
    };
  }, [query, db, limit, state, isOnline, turn]);

  const found = answer?.found ?? null;
  const cursor = found?.is === 'here' ? found.cursor : null;
  const isBusy = query !== null && answer?.query !== query;
  const [isAdding, setIsAdding] = useState(false);
  const more = useCallback(() => {
    if (query === null || isAdding) return;
    setIsAdding(true);
    findPeople({ db, filters: asked.current ?? {}, limit, cursor })
      .then((next) => {
        setAnswer((before) => {
          if (before?.query !== query || before.found.is !== 'here' || next.is !== 'here') return before;
          // The signal went in between: those that are here stay, and can be asked on for.
          if (next.from !== 'server') return before;
          return { query, found: { ...next, rows: appendNew(before.found.rows, next.rows) } };
        });
      })
      .catch(reportError)
      .finally(() => setIsAdding(false));
  }, [query, db, limit, cursor, isAdding]);
  const retry = useCallback(() => setTurn((before) => before + 1), []);
  return { found, isBusy: isBusy || isAdding, more: cursor !== null && !isBusy ? more : null, retry };
}
