import { sameForEverybody, type RouteRow } from './route-row.ts';

/** The secret that the mail service of the test server has. */
export const BOUNCE_SECRET = 'the-mail-service-says-so';
const headers = { authorization: `Bearer ${BOUNCE_SECRET}` };

/** @see ROUTES */
export const MAIL_ROUTES: Record<string, RouteRow> = {
  'POST /mail/stop/:token': {
    ...sameForEverybody,
    good: ({ links }) => ({ path: links.stop }),
    invalid: { request: ({ links }) => ({ path: `${links.stop}x` }), fields: ['token'] },
  },
  // Whoever has the secret may, and nobody else: see optional-mail.test.ts.
  'POST /mail/bounces': {
    anonymous: 204,
    stranger: 204,
    owner: 204,
    strangerToInactive: null,
    good: () => ({ path: '/mail/bounces', headers, body: { events: [{ message_id: 'm-0', kind: 'complaint' }] } }),
    unknown: null,
    invalid: { request: () => ({ path: '/mail/bounces', headers, body: {} }), fields: ['events'] },
  },
};
