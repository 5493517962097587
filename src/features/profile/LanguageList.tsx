import type { CardBodyProps } from './card-body.ts';
import { NamedLanguages } from './NamedLanguages.tsx';

/** Renders the languages as chips. */
export function LanguageList({ items }: CardBodyProps) {
  return (
    <ul className="flex flex-wrap gap-2">
      <NamedLanguages body={items[0]?.body ?? {}}>
        {(entries) =>
          entries.map(({ id, name, icon }) => (
            <li
              key={id}
              className="flex items-center gap-1.5 rounded-full bg-secondary py-1.5 pr-3 pl-1.5 text-sm font-medium text-secondary-content"
            >
              {icon && <img src={icon} alt="" className="size-5 rounded-full" />}
              {name || '…'}
            </li>
          ))
        }
      </NamedLanguages>
    </ul>
  );
}
