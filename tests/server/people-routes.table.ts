import { UNKNOWN_ID, signedIn, type RouteRow } from './route-row.ts';

/** Each person gets their own list, which may be empty. */
const ownList = (path: string): RouteRow => ({ ...signedIn, good: () => ({ path }), unknown: null, invalid: null });

export const PEOPLE_ROUTES: Record<string, RouteRow> = {
  'GET /connections/requests/received': ownList('/connections/requests/received'),
  'GET /connections/requests/sent': ownList('/connections/requests/sent'),
  'GET /connections/accepted': ownList('/connections/accepted'),
  'POST /reports': {
    anonymous: 401,
    stranger: 201,
    blocked: 404,
    // People cannot report themselves.
    owner: 422,
    // The person still exists.
    strangerToInactive: null,
    good: ({ owner }) => ({
      path: '/reports',
      body: { user_id: owner.id, reason: 'spam', text: 'The same to all of us' },
    }),
    unknown: () => ({ path: '/reports', body: { user_id: UNKNOWN_ID, reason: 'scam' } }),
    invalid: {
      request: () => ({ path: '/reports', body: { reason: 'because', text: 'x'.repeat(1001) } }),
      fields: ['user_id', 'reason', 'text'],
    },
  },
  'GET /notifications': {
    ...ownList('/notifications'),
    invalid: { request: () => ({ path: '/notifications?cursor=x' }), fields: ['cursor'] },
  },
  'POST /notifications/read': {
    ...signedIn,
    suspended: 200,
    // Ids of other people's notifications are ignored without an error.
    good: () => ({ path: '/notifications/read', body: { ids: [UNKNOWN_ID] } }),
    unknown: null,
    invalid: { request: () => ({ path: '/notifications/read', body: { ids: 'all', all: 1 } }), fields: ['ids', 'all'] },
  },
};
