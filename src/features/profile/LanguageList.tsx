import type { AnyRow } from '#contract/section.ts';
import { loadLookup } from '#db/lookups.ts';
import { useQuery } from '#session/use-query.ts';
import type { CardBodyProps } from './custom-cards.tsx';

/** Names as chips. One picked without signal is named by the list that was chosen from. */
export function LanguageList({ items }: CardBodyProps) {
  const body = items[0]?.body ?? {};
  const listed = useQuery((db) => loadLookup(db, 'languages'), []);
  const rows = Array.isArray(body.rows) ? (body.rows as AnyRow[]) : [];
  const entries = (body.languages as readonly string[] | undefined) ?? [];
  const nameOf = (id: string) => {
    const row = rows.find((each) => String(each.language_id) === id);
    return (row?.name as string | undefined) ?? listed?.find((each) => each.id === id)?.name;
  };
  return (
    <ul className="flex flex-wrap gap-2">
      {entries.map((id) => (
        <li key={id} className="rounded-full bg-secondary px-3 py-1.5 text-sm font-medium text-secondary-content">
          {nameOf(id) ?? '…'}
        </li>
      ))}
    </ul>
  );
}
