import { useState, type ReactNode } from 'react';
import type { Item } from '#db/views.ts';
import { PREVIEW_ROWS, ShowAllButton } from '#ui/ShowAllButton.tsx';

/** Shows the first four items and a button that expands the rest. */
export function ExpandableList({ items, renderRow }: { items: Item[]; renderRow: (item: Item) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ul>{(isOpen ? items : items.slice(0, PREVIEW_ROWS)).map(renderRow)}</ul>
      {items.length > PREVIEW_ROWS && (
        <ShowAllButton count={items.length} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      )}
    </>
  );
}
