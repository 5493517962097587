import type { Endpoint } from './section.ts';

/** Connection and notification endpoints that the outbox does not send. A file of its own keeps them out of the first bundle. */
export const PEOPLE_CALLS = {
  requestsReceived: { method: 'GET', path: '/connections/requests/received' },
  requestsSent: { method: 'GET', path: '/connections/requests/sent' },
  accepted: { method: 'GET', path: '/connections/accepted' },
  report: { method: 'POST', path: '/reports', isExtension: true },
  notifications: { method: 'GET', path: '/notifications', isExtension: true },
} as const satisfies Record<string, Endpoint>;
