import type { ReactNode } from 'react';
import type { WaitingItem } from '#db/views.ts';
import { KindIcon } from './KindIcon.tsx';
import { RowMenu } from './RowMenu.tsx';

interface RowFrameProps {
  item: WaitingItem;
  /** Content under the title. */
  text: ReactNode;
  children: ReactNode;
}

/** The layout of every unsent change: icon, title and menu, with the state or the actions below. */
export function RowFrame({ item, text, children }: RowFrameProps) {
  return (
    <li className="flex gap-3 border-t border-base-300 py-3 first:border-t-0">
      <KindIcon type={item.row.type} kind={item.row.kind} mediaType={item.mediaType} />
      <div className="min-w-0 grow">
        <div className="flex items-start gap-2">
          <div className="min-w-0 grow">
            <div className="leading-snug font-semibold break-words">{item.title}</div>
            {text}
          </div>
          <RowMenu item={item} />
        </div>
        {children}
      </div>
    </li>
  );
}
