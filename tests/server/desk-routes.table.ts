import { deskOnly, signedIn, UNKNOWN_ID, type RouteRow } from './route-row.ts';

/** The moderation desk. What it refuses to those who work there is in desk.test.ts. */
export const DESK_ROUTES: Record<string, RouteRow> = {
  'GET /desk/reports': { ...deskOnly, good: () => ({ path: '/desk/reports' }) },
  'GET /desk/reports/:id': { ...deskOnly, good: ({ desk }) => ({ path: `/desk/reports/${desk.reportId}` }) },
  'GET /desk/people/:id': { ...deskOnly, good: ({ owner }) => ({ path: `/desk/people/${owner.id}` }) },
  'POST /desk/people/find': {
    ...deskOnly,
    suspended: 403,
    good: ({ owner }) => ({ path: '/desk/people/find', body: { email: owner.email } }),
  },
  'GET /desk/offices': { ...deskOnly, good: () => ({ path: '/desk/offices' }) },
  'GET /desk/age-requests': { ...deskOnly, good: () => ({ path: '/desk/age-requests' }) },
  'GET /desk/appeals': { ...deskOnly, good: () => ({ path: '/desk/appeals' }) },
  'GET /desk/audit': { ...deskOnly, good: () => ({ path: '/desk/audit' }) },
  'GET /desk/jobs': { ...deskOnly, good: () => ({ path: '/desk/jobs' }) },
  'POST /desk/jobs/:id/retry': {
    ...deskOnly,
    suspended: 403,
    good: ({ desk }) => ({ path: `/desk/jobs/${desk.jobId}/retry` }),
  },
  'DELETE /desk/jobs/:id': { ...deskOnly, suspended: 403, good: ({ desk }) => ({ path: `/desk/jobs/${desk.jobId}` }) },
  'POST /desk/acts': {
    ...deskOnly,
    operator: 201,
    // Like every other write. It tells nothing about the desk.
    suspended: 403,
    good: ({ stranger }) => ({
      path: '/desk/acts',
      body: { act: 'suspend', target_type: 'user', target_id: stranger.id, reason: 'spam', words: 'No advertising' },
    }),
  },
  'POST /desk/acts/:id/undo': {
    ...deskOnly,
    operator: 201,
    suspended: 403,
    good: ({ desk }) => ({ path: `/desk/acts/${desk.actId}/undo` }),
  },
  'GET /restrictions': { ...signedIn, good: () => ({ path: '/restrictions' }), unknown: null, invalid: null },
  'POST /appeals': {
    anonymous: 401,
    // Nothing is decided about them.
    stranger: 404,
    owner: 404,
    suspended: 201,
    strangerToInactive: null,
    good: () => ({ path: '/appeals', body: { text: 'It was a joke between friends.' } }),
    unknown: () => ({ path: '/appeals', body: { text: 'Hello', restriction_id: UNKNOWN_ID } }),
    invalid: { request: () => ({ path: '/appeals', body: { text: ' ' } }), fields: ['text'] },
  },
};
