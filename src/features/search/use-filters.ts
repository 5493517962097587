import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useNavigationType, useSearchParams } from '#ui/router.tsx';
import { type FilterName, FILTERS, parseFilters, type SearchFilters } from '#lib/search-filters.ts';

/** A change of filters. Undefined or '' clears a filter. */
export type FilterChange = { [K in FilterName]?: string | undefined };

export interface FilterState {
  filters: SearchFilters;
  /** How many filters are set, without the search text. */
  count: number;
  /** Applies a change to the URL. With 'typing' or in a sheet, it replaces the current history entry instead of adding one. */
  change: (change: FilterChange, how?: 'step' | 'typing') => void;
  clear: () => void;
}

/** Parameters that count as one filter. */
const FILTER_GROUPS: readonly (readonly FilterName[])[] = [
  ['age'],
  ['min_age', 'max_age'],
  ['min_height', 'max_height'],
  ['skill', 'level'],
  ...(
    ['type', 'industry', 'location', 'language', 'hair', 'eyes', 'accent', 'voice_language', 'reel', 'active'] as const
  ).map((name) => [name]),
];

/** Name of the sheet in the URL. */
export const SHEET = 'filters';

function withoutSheet(params: URLSearchParams): URLSearchParams {
  const rest = new URLSearchParams(params);
  rest.delete(SHEET);
  return rest;
}

/** Returns the parameters of a URL with a change of filters. */
export function applyChange(params: URLSearchParams, changes: FilterChange): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  // The level is one of the skill, and its field is gone with it.
  if (!next.get('skill')) next.delete('level');
  return next;
}

/**
 * Returns the filters, which are in the URL so that a search can be shared, bookmarked and returned to.
 * @param isInSheet whether they are changed in the open sheet. All changes then are one step: Back after it must not open the sheet again
 */
export function useFilters(isInSheet: boolean): FilterState {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => parseFilters(params), [params]);
  const change = useCallback(
    (changes: FilterChange, how: 'step' | 'typing' = 'step') => {
      setParams((before) => applyChange(before, changes), { replace: isInSheet || how === 'typing' });
    },
    [setParams, isInSheet],
  );
  // Back closes the sheet, and leads to the address from before it was opened. What was chosen there stays.
  const navigationType = useNavigationType();
  const chosen = useRef<URLSearchParams | null>(null);
  const reapply = useEffectEvent(() => {
    const before = chosen.current;
    chosen.current = isInSheet ? withoutSheet(params) : null;
    if (isInSheet || before === null || navigationType !== 'POP') return;
    if (before.toString() !== withoutSheet(params).toString()) setParams(before);
  });
  useEffect(() => reapply(), [isInSheet, params]);
  const clear = useCallback(() => {
    change(Object.fromEntries(FILTERS.filter((name) => name !== 'q').map((name) => [name, undefined])));
  }, [change]);
  const count = FILTER_GROUPS.filter((names) => names.some((name) => filters[name] !== undefined)).length;
  return { filters, count, change, clear };
}

const DEBOUNCE_MS = 300;

/** Returns the text of a filter while it is typed. `onChange` is debounced; `flush` applies the text at once. */
export function useDebouncedText(value: string, onCommit: (value: string) => void) {
  const [typed, setTyped] = useState({ text: value, base: value });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  /** What was typed and is not applied yet, also since the last render. */
  const pending = useRef<string | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  const commit = () => {
    clearTimeout(timer.current);
    if (pending.current !== null && pending.current !== value) onCommit(pending.current);
    pending.current = null;
  };
  // The URL was changed elsewhere, by Back or a removed chip: discard what was typed.
  const isUnchanged = value === typed.base || value === typed.text.trim();
  const text = isUnchanged ? typed.text : value;
  return {
    value: text,
    onChange: (next: string) => {
      setTyped({ text: next, base: value });
      clearTimeout(timer.current);
      pending.current = next.trim();
      timer.current = setTimeout(commit, DEBOUNCE_MS);
    },
    /** Applies the text at once: on Enter, and when the field loses focus. */
    flush: commit,
  };
}
