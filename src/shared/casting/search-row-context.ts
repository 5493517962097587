import { createContext, type ReactNode } from 'react';
import type { SearchRow } from '#contract/records/search.ts';

/** Renders a further action on the card of somebody who was found; null where there is none. */
export const SearchRowContext = createContext<((row: SearchRow) => ReactNode) | null>(null);
