import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Item } from '#db/views.ts';

const FEW = 4;

/** The first four rows and a button for the rest. */
export function ShowAll({ items, row }: { items: Item[]; row: (item: Item) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ul>{(isOpen ? items : items.slice(0, FEW)).map(row)}</ul>
      {items.length > FEW && (
        <button
          type="button"
          className="inline-flex min-h-11 items-center gap-1 rounded-lg text-sm font-semibold text-primary"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show fewer' : `Show all ${items.length}`}
          {isOpen ? <ChevronUp className="size-4" aria-hidden /> : <ChevronDown className="size-4" aria-hidden />}
        </button>
      )}
    </>
  );
}
