import type { ReactNode } from 'react';
import type { AnyRow } from '#contract/section.ts';
import { loadLookup, type LookupEntry } from '#db/lookups.ts';
import { useQuery } from '#shared/queries/use-query.ts';

interface NamedLanguagesProps {
  /** The body of the section's single item. */
  body: AnyRow;
  /** Renders the languages. A name is '' if this device has never received it. */
  children: (entries: readonly LookupEntry[]) => ReactNode;
}

function getEntries(body: AnyRow, listed: readonly LookupEntry[] = []): LookupEntry[] {
  const rows = (body.rows ?? []) as AnyRow[];
  const chosen = (body.languages ?? []) as string[];
  return chosen.map((id) => {
    const row = rows.find((each) => String(each.language_id) === id);
    if (row) return { id, name: String(row.name), icon: row.icon_img as string };
    return listed.find((each) => each.id === id) ?? { id, name: '' };
  });
}

/** Resolves the names of a profile's languages, which the server sends with them. */
export function NamedLanguages({ body, children }: NamedLanguagesProps) {
  const entries = getEntries(body);
  if (entries.some(({ name }) => !name)) return <NamedFromLookup body={body}>{children}</NamedFromLookup>;
  return children(entries);
}

/**
 * Resolves the names of languages that were chosen offline from the stored lookup list. Only the person's own profile needs this, so
 * visitors, who have no store, never get here.
 */
function NamedFromLookup({ body, children }: NamedLanguagesProps) {
  const listed = useQuery((db) => loadLookup(db, 'languages'), []);
  return children(getEntries(body, listed));
}
