import { ACTS } from './casting/acts.ts';
import type { Endpoint } from './section.ts';

/** Endpoints about the days on which people are free. */
export const AVAILABILITY_CALLS = {
  read: { method: 'GET', path: '/availability', isExtension: true },
  // With the other acts, since every start of the app loads those and nothing else of this list.
  set: ACTS.availability.set,
  /** Of the person with this profile, for those whom they allow. */
  readOf: { method: 'GET', path: '/profiles/:id/availability', isExtension: true },
} as const satisfies Record<string, Endpoint>;
