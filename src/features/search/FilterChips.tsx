import { SlidersHorizontal, X } from 'lucide-react';
import { getActiveFilters, toClearedFilters } from './filter-labels.ts';
import type { FilterState } from './use-filters.ts';
import type { FilterOptions } from './use-filter-options.ts';

interface FilterChipsProps extends Pick<FilterState, 'filters' | 'change' | 'count'> {
  options: FilterOptions;
  onOpenAll: () => void;
}

/** The filters on a phone: a chip that opens all of them, then a chip for each active one. The row scrolls sideways. */
export function FilterChips({ filters, change, count, options, onOpenAll }: FilterChipsProps) {
  return (
    <div
      role="group"
      aria-label="Filters"
      className="-mx-3 flex gap-2 overflow-x-auto px-3 py-1.5 [scrollbar-width:none] md:hidden"
    >
      <button
        type="button"
        className="chip"
        aria-label={count === 0 ? 'All filters' : `All filters, ${count} set`}
        onClick={onOpenAll}
      >
        <SlidersHorizontal className="ic size-4" aria-hidden />
        {count === 0 ? 'Filters' : <span className="num">{count}</span>}
      </button>
      {getActiveFilters(filters, options).map(({ label, names }) => (
        <button
          key={names[0]}
          type="button"
          className="chip !border-transparent !bg-(--color-chosen) !text-(--color-chosen-content)"
          aria-label={`Remove ${label}`}
          onClick={() => change(toClearedFilters(names))}
        >
          <span className="max-w-56 truncate">{label}</span>
          <X className="ic size-4" aria-hidden />
        </button>
      ))}
    </div>
  );
}
