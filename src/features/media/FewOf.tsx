import { useState, type DragEvent, type ReactNode } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { ShowAllButton } from '#ui/ShowAllButton.tsx';

interface FewOfProps {
  items: readonly MediaItem[];
  /** How many stand there at first; all of them where it is left out. */
  few?: number | undefined;
  className?: string;
  rowClass: string;
  /** Puts one in another's place, by drag; its keyboard twin is in the menu of each. */
  onMove?: ((id: string, to: number) => void) | undefined;
  children: (item: MediaItem, at: number) => ReactNode;
}

/** The first items and a button for the rest. The owner drags them into another order. */
export function FewOf({ items, few = Infinity, className, rowClass, onMove, children }: FewOfProps) {
  const [isOpen, setOpen] = useState(false);
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  /** Only what began in this list may end in it. */
  const dragOf = (id: string, at: number) =>
    onMove && {
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', id);
        setDragged(id);
      },
      onDragOver: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        if (over !== id) setOver(id);
      },
      onDrop: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        if (dragged !== id) onMove(dragged, at);
        end();
      },
      onDragEnd: end,
    };
  return (
    <>
      <ul className={className}>
        {(isOpen ? items : items.slice(0, few)).map((item, at) => {
          const isTarget = over === item.id && dragged !== item.id;
          const look = dragged === item.id ? 'opacity-50' : isTarget ? 'outline-3 outline-primary' : '';
          return (
            <li key={item.key} className={`${rowClass} ${look}`} {...dragOf(item.id, at)}>
              {children(item, at)}
            </li>
          );
        })}
      </ul>
      {items.length > few && (
        <ShowAllButton className="mt-1" count={items.length} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      )}
    </>
  );
}
