import type { Endpoint } from './section.ts';

/** How people find each other. Apart from the others, for the pages before them do without. */
export const SEARCH_CALLS = {
  search: { method: 'GET', path: '/search' },
  suggestedConnections: { method: 'GET', path: '/connections/suggested' },
} as const satisfies Record<string, Endpoint>;
