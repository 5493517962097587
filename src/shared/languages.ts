import type { AnyRow } from '#contract/section.ts';
import type { LookupEntry } from '#db/lookups.ts';

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
