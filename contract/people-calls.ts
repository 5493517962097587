import type { Endpoint } from './section.ts';

// By name as well: what the outbox sends is all that the worker has room for.
export const READ_NOTIFICATIONS = {
  method: 'POST',
  path: '/notifications/read',
  isExtension: true,
} as const satisfies Endpoint;

/** Who knows whom, and what happened meanwhile. Apart from the others, for the pages before them do without. */
export const PEOPLE_CALLS = {
  requestsReceived: { method: 'GET', path: '/connections/requests/received' },
  requestsSent: { method: 'GET', path: '/connections/requests/sent' },
  accepted: { method: 'GET', path: '/connections/accepted' },
  report: { method: 'POST', path: '/reports', isExtension: true },
  notifications: { method: 'GET', path: '/notifications', isExtension: true },
  readNotifications: READ_NOTIFICATIONS,
} as const satisfies Record<string, Endpoint>;
