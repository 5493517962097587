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
  const iconOf = (id: string) => {
    const row = rows.find((each) => String(each.language_id) === id);
    return (row?.icon_img as string | undefined) ?? listed?.find((each) => each.id === id)?.icon;
  };
  return (
    <ul className="flex flex-wrap gap-2">
      {entries.map((id) => (
        <li
          key={id}
          className="flex items-center gap-1.5 rounded-full bg-secondary py-1.5 pr-3 pl-1.5 text-sm font-medium text-secondary-content"
        >
          {iconOf(id) && <img src={iconOf(id)} alt="" className="size-5 rounded-full" />}
          {nameOf(id) ?? '…'}
        </li>
      ))}
    </ul>
  );
}
