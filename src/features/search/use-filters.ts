import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { type FilterName, FILTERS, filtersOf, type SearchFilters } from '#lib/search-filters.ts';

/** What changes; undefined or '' takes a filter away. */
export type FilterChange = { [K in FilterName]?: string | undefined };

export interface FilterState {
  filters: SearchFilters;
  /** Filters beside the words. */
  count: number;
  /** A step of its own in the history, unless it goes on from what is being typed. */
  change: (change: FilterChange, how?: 'step' | 'typing') => void;
  clear: () => void;
}

/** What counts as one filter for people. */
const FILTER_GROUPS: readonly (readonly FilterName[])[] = [
  ['age'],
  ['min_age', 'max_age'],
  ['min_height', 'max_height'],
  ['skill', 'level'],
  ...(
    ['type', 'industry', 'location', 'language', 'hair', 'eyes', 'accent', 'voice_language', 'reel', 'active'] as const
  ).map((name) => [name]),
];

/** The filters, which stand in the address: a search can be sent, kept and gone back to. */
export function useFilters(): FilterState {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => filtersOf(params), [params]);
  const change = useCallback(
    (wanted: FilterChange, how: 'step' | 'typing' = 'step') => {
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          for (const [name, value] of Object.entries(wanted)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: how === 'typing', preventScrollReset: true },
      );
    },
    [setParams],
  );
  const clear = useCallback(() => {
    change(Object.fromEntries(FILTERS.filter((name) => name !== 'q').map((name) => [name, undefined])));
  }, [change]);
  const count = FILTER_GROUPS.filter((names) => names.some((name) => filters[name] !== undefined)).length;
  return { filters, count, change, clear };
}

const DEBOUNCE_MS = 300;

/** A filter as it is typed: the address follows when the typing rests, or at once on Enter. */
export function useDebouncedText(value: string, onSettled: (value: string) => void) {
  const [typed, setTyped] = useState({ text: value, over: value });
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  // The address moved on by itself (back, a chip taken away): what was typed before that is over.
  const isMine = value === typed.over || value === typed.text.trim();
  const text = isMine ? typed.text : value;
  return {
    value: text,
    onChange: (next: string) => {
      setTyped({ text: next, over: value });
      clearTimeout(waiting.current);
      waiting.current = setTimeout(() => onSettled(next.trim()), DEBOUNCE_MS);
    },
    /** Now: on Enter, on leaving the field. */
    settle: () => {
      clearTimeout(waiting.current);
      if (text.trim() !== value) onSettled(text.trim());
    },
  };
}
