import { ChevronDown, ChevronUp } from 'lucide-react';

/** Rows of a list that are shown at first. */
export const PREVIEW_ROWS = 4;

interface Props {
  /** How many there are. */
  count: number;
  isOpen: boolean;
  onToggle: () => void;
  className?: string;
}

/** Below the first few of a list: shows the rest, and hides it again. */
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
