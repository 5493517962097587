import { loadLookup } from '#db/lookups.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { getLanguages } from '#shared/languages.ts';
import type { NamedLanguagesProps } from './languages.ts';

/**
 * Takes the names of languages that were chosen offline from the stored lookup list. Only the person's own profile needs this, so
 * visitors, who have no store, never get here.
 */
export function NamedFromLookup({ body, children }: NamedLanguagesProps) {
  const listed = useQuery((db) => loadLookup(db, 'languages'), []);
  return children(getLanguages(body, listed));
}
