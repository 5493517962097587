import { useState, type ReactNode } from 'react';
import type { Item } from '#db/views.ts';
import { FEW_ROWS, ShowAllButton } from '#ui/ShowAllButton.tsx';

/** The first four rows and a button for the rest. */
export function ShowAll({ items, row }: { items: Item[]; row: (item: Item) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ul>{(isOpen ? items : items.slice(0, FEW_ROWS)).map(row)}</ul>
      {items.length > FEW_ROWS && (
        <ShowAllButton count={items.length} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      )}
    </>
  );
}
