import type { Endpoint } from './section.ts';

// Exported by itself as well, so that the service worker bundles only the calls that the outbox sends.
export const READ_NOTIFICATIONS = {
  method: 'POST',
  path: '/notifications/read',
  isExtension: true,
} as const satisfies Endpoint;

/** Connection and notification endpoints. A file of its own keeps them out of the first bundle. */
export const PEOPLE_CALLS = {
  requestsReceived: { method: 'GET', path: '/connections/requests/received' },
  requestsSent: { method: 'GET', path: '/connections/requests/sent' },
  accepted: { method: 'GET', path: '/connections/accepted' },
  report: { method: 'POST', path: '/reports', isExtension: true },
  notifications: { method: 'GET', path: '/notifications', isExtension: true },
  readNotifications: READ_NOTIFICATIONS,
} as const satisfies Record<string, Endpoint>;
