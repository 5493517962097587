import type { ReactNode } from 'react';
import type { AnyRow } from '#contract/section.ts';
import type { LookupEntry } from '#db/lookups.ts';

export interface NamedLanguagesProps {
  /** The body of the section's single item. */
  body: AnyRow;
  /** Renders the languages. A name is '' if this device has never received it. */
  children: (entries: readonly LookupEntry[]) => ReactNode;
}

/** The languages of a profile. A name comes from the server's row, else from `listed`; else it is ''. */
export function getLanguages(body: AnyRow, listed: readonly LookupEntry[] = []): LookupEntry[] {
  const rows = (body.rows ?? []) as AnyRow[];
  const chosen = (body.languages ?? []) as string[];
  return chosen.map((id) => {
    const row = rows.find((each) => String(each.language_id) === id);
    if (row) return { id, name: String(row.name), icon: row.icon_img as string };
    return listed.find((each) => each.id === id) ?? { id, name: '' };
  });
}
