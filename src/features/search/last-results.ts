import type { AccountDb } from '#db/database.ts';
import { whenBlocked } from '#shared/people/when-blocked.ts';
import type { SearchResult } from './find-people.ts';

interface QueryResult {
  query: string;
  found: SearchResult;
}

/** The last results of each account, and of visitors, so that Back from a profile restores them. */
const lastResults = new WeakMap<object, QueryResult>();
const VISITOR_KEY = {};

// They may list the person who was blocked, so Back searches again.
whenBlocked((db) => lastResults.delete(db));

export function keepLastResult(db: AccountDb | null, result: QueryResult): void {
  lastResults.set(db ?? VISITOR_KEY, result);
}

/** Returns the last results if they are those of this query. */
export function readLastResult(db: AccountDb | null, query: string | null): QueryResult | null {
  const last = lastResults.get(db ?? VISITOR_KEY);
  return last?.query === query ? last : null;
}
