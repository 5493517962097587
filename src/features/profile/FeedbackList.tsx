'fetched soon after the start';

import { memo } from 'react';
import type { Item } from '#db/views.ts';
import { Avatar } from '#ui/Avatar.tsx';
import type { CardBodyProps } from './card-body.ts';
import { ExpandableList } from './ExpandableList.tsx';

interface Author {
  profile_photo: string | null;
  title: string | null;
  user: { name: string };
}

type RowProps = Omit<CardBodyProps, 'items'> & { item: Item };

const FeedbackRow = memo(function FeedbackRow({ section, item, renderState, renderMenu }: RowProps) {
  const author = item.body.profile as Author | null | undefined;
  const { title, subtitle } = section.card(item.body);
  return (
    <li className="flex gap-3 border-t border-base-300 py-3 first:border-t-0">
      <Avatar name={author?.user.name ?? 'You'} src={author?.profile_photo ?? null} decorative />
      <div className="min-w-0 grow">
        <div className="text-sm leading-snug break-words">
          <span className="font-semibold">{author?.user.name ?? 'You'}</span>
          {author?.title && <span className="text-muted"> · {author.title}</span>}
        </div>
        <p className="mt-0.5 break-words whitespace-pre-line">{title}</p>
        {subtitle && <p className="text-sm break-words text-muted">{subtitle}</p>}
        {item.body.is_hidden === true && (
          <p className="mt-1 text-sm text-muted">
            Hidden from others until the owner of this profile chooses ‘Show to everyone’
          </p>
        )}
        <div className="mt-1.5 empty:hidden">{renderState(item)}</div>
      </div>
      {renderMenu(item)}
    </li>
  );
});

/** Renders feedback with its authors. Hidden feedback is marked; only the profile's owner and its author receive it. */
export function FeedbackList({ items, ...shared }: CardBodyProps) {
  return <ExpandableList items={items} renderRow={(item) => <FeedbackRow key={item.key} item={item} {...shared} />} />;
}
