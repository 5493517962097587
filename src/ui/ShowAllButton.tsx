import { ChevronDown, ChevronUp } from 'lucide-react';

/** Number of rows that a collapsed list shows. */
export const PREVIEW_ROWS = 4;

interface Props {
  /** Number of all rows. */
  count: number;
  isOpen: boolean;
  onToggle: () => void;
  className?: string;
}

/** The button below a collapsed list: shows the rest, and hides it again. */
export function ShowAllButton({ count, isOpen, onToggle, className = '' }: Props) {
  return (
    <button
      type="button"
      className={`inline-flex min-h-11 items-center gap-1 rounded-lg text-sm font-semibold text-primary ${className}`}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      {isOpen ? 'Show fewer' : `Show all ${count}`}
      {isOpen ? <ChevronUp className="size-4" aria-hidden /> : <ChevronDown className="size-4" aria-hidden />}
    </button>
  );
}
