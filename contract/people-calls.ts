import type { Endpoint } from './section.ts';

/** Who knows whom, and what happened meanwhile. Apart from the others, for the pages before them do without. */
export const PEOPLE_CALLS = {
  requestsReceived: { method: 'GET', path: '/connections/requests/received' },
  requestsSent: { method: 'GET', path: '/connections/requests/sent' },
  accepted: { method: 'GET', path: '/connections/accepted' },
  report: { method: 'POST', path: '/reports', plus: true },
  notifications: { method: 'GET', path: '/notifications', plus: true },
  readNotifications: { method: 'POST', path: '/notifications/read', plus: true },
} as const satisfies Record<string, Endpoint>;
