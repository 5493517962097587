import { useState, type ReactNode } from 'react';
import type { Item } from '#db/views.ts';
import { ShowAllButton } from '#ui/ShowAllButton.tsx';

const FEW = 4;

/** The first four rows and a button for the rest. */
export function ShowAll({ items, row }: { items: Item[]; row: (item: Item) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ul>{(isOpen ? items : items.slice(0, FEW)).map(row)}</ul>
      {items.length > FEW && <ShowAllButton count={items.length} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />}
    </>
  );
}
