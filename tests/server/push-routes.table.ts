import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { signedIn, type RouteRow } from './route-row.ts';

const forThemselves = { ...signedIn, unknown: null, invalid: null };

const endpoint = () => `https://fcm.googleapis.com/fcm/send/${randomUUID()}`;
const keys = () => ({
  p256dh: createECDH('prime256v1').generateKeys('base64url'),
  auth: randomBytes(16).toString('base64url'),
});

export const PUSH_ROUTES: Record<string, RouteRow> = {
  'GET /push': { ...forThemselves, good: () => ({ path: '/push' }) },
  'PUT /push/subscription': {
    ...forThemselves,
    good: () => ({ path: '/push/subscription', body: { endpoint: endpoint(), keys: keys() } }),
    invalid: {
      request: () => ({ path: '/push/subscription', body: { endpoint: 'nowhere', keys: { p256dh: 'x', auth: 1 } } }),
      fields: ['endpoint', 'keys.p256dh', 'keys.auth'],
    },
  },
  'DELETE /push/subscription': {
    ...forThemselves,
    // Somebody else's stays as it is, without an error.
    good: () => ({ path: '/push/subscription', body: { endpoint: endpoint() } }),
    invalid: { request: () => ({ path: '/push/subscription', body: {} }), fields: ['endpoint'] },
  },
  'POST /push/seen': {
    ...forThemselves,
    stranger: 204,
    owner: 204,
    good: () => ({ path: '/push/seen', body: { ids: [randomUUID()] } }),
    invalid: { request: () => ({ path: '/push/seen', body: { ids: 'all' } }), fields: ['ids'] },
  },
  'POST /push/test': { ...forThemselves, good: () => ({ path: '/push/test' }) },
  'GET /push/test/:id': {
    ...forThemselves,
    // Nobody has begun this one: see push.test.ts for who sees one that was begun.
    stranger: 404,
    owner: 404,
    good: () => ({ path: `/push/test/${randomUUID()}` }),
    unknown: () => ({ path: '/push/test/x' }),
  },
};
