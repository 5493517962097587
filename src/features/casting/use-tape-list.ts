import { useState } from 'react';
import { useAccount } from '#session/session.tsx';
import {
  filterTapes,
  type FilterChip,
  isTapeOrder,
  listFilters,
  sortTapes,
  type TapeFilter,
  type TapeOrder,
} from './tape-order.ts';
import type { Taped } from './taped.ts';

/** Where the device remembers the chosen order. */
const ORDER_KEY = 'tape-order';

export interface TapeList {
  /** Those that pass the filter, in the chosen order. */
  shown: Taped[];
  filters: FilterChip[];
  filter: TapeFilter;
  setFilter: (filter: TapeFilter) => void;
  order: TapeOrder;
  setOrder: (order: TapeOrder) => void;
}

function readOrder(): TapeOrder {
  const stored = localStorage.getItem(ORDER_KEY);
  return isTapeOrder(stored) ? stored : 'shuffled';
}

/** The tapes of a role as the person wants to see them. */
export function useTapeList(tapes: readonly Taped[]): TapeList {
  const { user } = useAccount();
  const [filter, setFilter] = useState<TapeFilter>('all');
  const [order, setOrder] = useState(readOrder);
  // Read once: at midnight the tapes must not change places under a finger.
  const [day] = useState(() => new Date().toDateString());
  return {
    shown: sortTapes(filterTapes(tapes, filter), order, `${user.id}:${day}`),
    filters: listFilters(tapes, filter),
    filter,
    setFilter,
    order,
    setOrder: (next) => {
      localStorage.setItem(ORDER_KEY, next);
      setOrder(next);
    },
  };
}
