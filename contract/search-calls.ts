import type { Endpoint } from './section.ts';

/** Search and suggestion endpoints. A file of its own keeps them out of the first bundle. */
export const SEARCH_CALLS = {
  search: { method: 'GET', path: '/search' },
  suggestedConnections: { method: 'GET', path: '/connections/suggested' },
} as const satisfies Record<string, Endpoint>;
