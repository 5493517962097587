import type { ReactNode } from 'react';
import type { AnyRow } from '#contract/section.ts';
import { loadLookup, type LookupEntry } from '#db/lookups.ts';
import { useQuery } from '#shared/queries/use-query.ts';

interface NamedLanguagesProps {
  /** Of the section's one item. */
  body: AnyRow;
  /** A name is '' where this device never had it. */
  children: (entries: readonly LookupEntry[]) => ReactNode;
}

function entriesOf(body: AnyRow, listed: readonly LookupEntry[] = []): LookupEntry[] {
  const rows = (body.rows ?? []) as AnyRow[];
  const chosen = (body.languages ?? []) as string[];
  return chosen.map((id) => {
    const row = rows.find((each) => String(each.language_id) === id);
    if (row) return { id, name: String(row.name), icon: row.icon_img as string };
    return listed.find((each) => each.id === id) ?? { id, name: '' };
  });
}

/** Languages of a profile with their names, which the server sends along. */
export function NamedLanguages({ body, children }: NamedLanguagesProps) {
  const entries = entriesOf(body);
  if (entries.some(({ name }) => !name)) return <PickedHere body={body}>{children}</PickedHere>;
  return children(entries);
}

/** Picked without signal: the list they were chosen from names them. Own pages alone have such, for a visitor has no store. */
function PickedHere({ body, children }: NamedLanguagesProps) {
  const listed = useQuery((db) => loadLookup(db, 'languages'), []);
  return children(entriesOf(body, listed));
}
