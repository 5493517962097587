import { type ReactNode, Suspense } from 'react';
import type { AnyRow } from '#contract/section.ts';
import type { LookupEntry } from '#db/lookups.ts';
import { lazyOptional } from '#ui/lazy-optional.ts';

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

const NamesFromLookup = lazyOptional(async () => (await import('./NamesFromLookup.tsx')).NamesFromLookup);

/**
 * Resolves the names of a profile's languages. The server sends them with the languages; those of languages that were
 * chosen offline come from the stored lookup list. Visitors have no store and never need it.
 */
export function NamedLanguages({ body, children }: NamedLanguagesProps) {
  const entries = getEntries(body);
  if (entries.every(({ name }) => name)) return children(entries);
  return (
    <Suspense fallback={children(entries)}>
      <NamesFromLookup>{(listed) => children(getEntries(body, listed))}</NamesFromLookup>
    </Suspense>
  );
}
