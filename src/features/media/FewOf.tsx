import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { MediaItem } from '#db/queries.ts';

interface FewOfProps {
  items: readonly MediaItem[];
  /** How many stand there at first; all of them where it is left out. */
  few?: number | undefined;
  className: string;
  children: (item: MediaItem) => ReactNode;
}

/** The first items and a button for the rest. */
export function FewOf({ items, few = Infinity, className, children }: FewOfProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ul className={className}>{(isOpen ? items : items.slice(0, few)).map(children)}</ul>
      {items.length > few && (
        <button
          type="button"
          className="mt-1 inline-flex min-h-11 items-center gap-1 rounded-lg text-sm font-semibold text-primary"
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
