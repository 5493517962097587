import type { Endpoint } from './section.ts';

/** Anonymous statistics over all profiles. A file of its own keeps the endpoint out of the first bundle. */
export const INSIGHTS = { method: 'GET', path: '/insights', isExtension: true } as const satisfies Endpoint;
