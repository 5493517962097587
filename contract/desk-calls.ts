import type { Endpoint } from './section.ts';

/** Endpoints of the moderation desk. A file of its own keeps them out of the first bundle. */
export const DESK_CALLS = {
  reports: { method: 'GET', path: '/desk/reports', isExtension: true },
  report: { method: 'GET', path: '/desk/reports/:id', isExtension: true },
  appeals: { method: 'GET', path: '/desk/appeals', isExtension: true },
  person: { method: 'GET', path: '/desk/people/:id', isExtension: true },
  findPerson: { method: 'POST', path: '/desk/people/find', isExtension: true },
  offices: { method: 'GET', path: '/desk/offices', isExtension: true },
  ageRequests: { method: 'GET', path: '/desk/age-requests', isExtension: true },
  act: { method: 'POST', path: '/desk/acts', isExtension: true },
  undo: { method: 'POST', path: '/desk/acts/:id/undo', isExtension: true },
  audit: { method: 'GET', path: '/desk/audit', isExtension: true },
  jobs: { method: 'GET', path: '/desk/jobs', isExtension: true },
  retryJob: { method: 'POST', path: '/desk/jobs/:id/retry', isExtension: true },
  dropJob: { method: 'DELETE', path: '/desk/jobs/:id', isExtension: true },
} as const satisfies Record<string, Endpoint>;

/** Endpoints for the people whom the desk has restricted. */
export const RESTRICTION_CALLS = {
  restrictions: { method: 'GET', path: '/restrictions', isExtension: true },
  appeal: { method: 'POST', path: '/appeals', isExtension: true },
} as const satisfies Record<string, Endpoint>;
