import type { Endpoint } from './section.ts';

/** What the whole board says of the trade. Apart from the others, for the pages before it do without. */
export const INSIGHTS = { method: 'GET', path: '/insights', isExtension: true } as const satisfies Endpoint;
