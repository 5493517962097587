import { UNKNOWN_ID, signedIn, type RouteRow } from './route-row.ts';

/** Everybody has their own days. Those of the fixture's owner are shown to nobody. */
export const AVAILABILITY_ROUTES: Record<string, RouteRow> = {
  'GET /availability': {
    ...signedIn,
    good: () => ({ path: '/availability?from=2027-01-01&to=2027-01-31' }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/availability?from=January&to=2027-02-30' }),
      fields: ['from', 'to'],
    },
  },
  'PUT /availability': {
    ...signedIn,
    good: () => ({ path: '/availability', body: { days: [{ date: '2027-01-18', state: 'free' }] } }),
    unknown: null,
    invalid: {
      request: () => ({
        path: '/availability',
        body: {
          days: [
            { date: 'soon', state: 'busy' },
            { date: '2027-01-19', state: 'free', note: 'x'.repeat(201), expires_at: 'never', base: { state: 'busy' } },
          ],
        },
      }),
      fields: ['days.0.date', 'days.0.state', 'days.1.note', 'days.1.expires_at', 'days.1.base.state'],
    },
  },
  'GET /profiles/:id/availability': {
    anonymous: 401,
    stranger: 404,
    owner: 200,
    strangerToInactive: 404,
    good: ({ profileId }) => ({ path: `/profiles/${profileId}/availability?from=2027-01-01` }),
    unknown: () => ({ path: `/profiles/${UNKNOWN_ID}/availability` }),
    invalid: {
      request: ({ profileId }) => ({ path: `/profiles/${profileId}/availability?from=x` }),
      fields: ['from'],
    },
  },
};
