import { ExternalLink } from 'lucide-react';
import { memo } from 'react';
import type { Item } from '#db/views.ts';
import type { CardBodyProps } from './card-body.ts';
import { ExpandableList } from './ExpandableList.tsx';

/** Renders 'Ira · Movie, Devika Rao' with the part after the dot in a muted color. */
function Subtitle({ text }: { text: string }) {
  const [first, ...rest] = text.split(' · ');
  return (
    <div className="text-sm leading-snug break-words">
      {first}
      {rest.length > 0 && <span className="text-muted"> · {rest.join(' · ')}</span>}
    </div>
  );
}

type RowProps = Omit<CardBodyProps, 'items'> & { item: Item; isDated: boolean };

const SectionRow = memo(function SectionRow({ section, item, isDated, renderState, renderMenu }: RowProps) {
  const { title, subtitle, when, href } = section.card(item.body);
  return (
    <li
      className={`grid gap-x-2 border-t border-base-300 py-2.5 first:border-t-0 ${isDated ? 'grid-cols-[3.4rem_minmax(0,1fr)_auto]' : 'grid-cols-[minmax(0,1fr)_auto]'}`}
    >
      {isDated && <span className="num pt-px text-sm text-muted">{when}</span>}
      <div className={subtitle || isDated ? 'min-w-0' : 'min-w-0 self-center'}>
        <div className="leading-snug font-semibold break-words">
          {href ? (
            <a href={href} target="_blank" rel="noreferrer noopener" className="underline-offset-4 hover:underline">
              {title}{' '}
              <ExternalLink className="inline size-4 align-[-0.15em] text-muted" aria-label="opens another website" />
            </a>
          ) : (
            title
          )}
        </div>
        {subtitle && <Subtitle text={subtitle} />}
        <div className="mt-1.5 empty:hidden">{renderState(item)}</div>
      </div>
      {renderMenu(item)}
    </li>
  );
});

/** Renders rows like a theatre program: when, what, who. Uses only the section's card text. */
export function SectionList({ items, ...shared }: CardBodyProps) {
  const isDated = items.some((item) => shared.section.card(item.body).when);
  return (
    <ExpandableList
      items={items}
      renderRow={(item) => <SectionRow key={item.key} item={item} isDated={isDated} {...shared} />}
    />
  );
}
