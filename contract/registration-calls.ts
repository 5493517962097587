import type { Endpoint } from './section.ts';

/** Endpoints that only the registration form calls, after it has painted. */
export const REGISTRATION_CALLS = {
  challenge: { method: 'GET', path: '/challenge', isExtension: true },
} as const satisfies Record<string, Endpoint>;
