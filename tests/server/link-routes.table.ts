import { UNKNOWN_ID, type Request, type RouteFixture, type RouteRow } from './route-row.ts';

const UNKNOWN_NAME = '5f3c2a9e-0b1d-4c8a-9e54-0d7f6b1a2c3e';
const NEW_LINK = {
  client_id: UNKNOWN_NAME,
  name: 'Anand Rege',
  watermark: 'Anand Rege',
  expires_at: '2026-11-28T09:00:00Z',
  token_hash: 'a'.repeat(64),
};

/** For the owner of a link alone. */
const ownerOnly = { anonymous: 401, stranger: 404, owner: 200, strangerToInactive: null };
/** For whoever has opened a link: the account, if there is one, makes no difference. While its owner is suspended, it shows nothing. */
const linkHolder = { anonymous: 200, stranger: 200, owner: 200, suspended: 404, strangerToInactive: null };

const watch = ({ name, session }: RouteFixture['shareLink'], rest: string, body?: object): Request => ({
  path: `/watch/${name}${rest}`,
  headers: { 'x-watch-session': session },
  ...(body && { body }),
});

/** Calls for share links: of their owner, and of those who have one. */
export const LINK_ROUTES: Record<string, RouteRow> = {
  'POST /casting/links': {
    ...ownerOnly,
    owner: 201,
    good: ({ shareLink }) => ({ path: '/casting/links', body: { ...NEW_LINK, role_id: shareLink.roleId } }),
    unknown: () => ({ path: '/casting/links', body: { ...NEW_LINK, role_id: UNKNOWN_ID } }),
    invalid: {
      request: ({ shareLink }) => ({
        path: '/casting/links',
        body: {
          role_id: shareLink.roleId,
          client_id: 'mine',
          name: '',
          tape_ids: [],
          expires_at: 'soon',
          watermark: '',
        },
      }),
      fields: ['client_id', 'name', 'tape_ids', 'expires_at', 'token_hash', 'watermark'],
    },
  },
  'PUT /casting/links/:id': {
    ...ownerOnly,
    good: ({ shareLink }) => ({ path: `/casting/links/${shareLink.id}`, body: { name: 'Farah Khan' } }),
    unknown: () => ({ path: `/casting/links/${UNKNOWN_ID}`, body: { name: 'Farah Khan' } }),
    invalid: {
      request: ({ shareLink }) => ({
        path: `/casting/links/${shareLink.id}`,
        body: { name: 'x'.repeat(81), expires_at: '2027-11-28T09:00' },
      }),
      fields: ['name', 'expires_at'],
    },
  },
  'DELETE /casting/links/:id': {
    ...ownerOnly,
    good: ({ shareLink }) => ({ path: `/casting/links/${shareLink.id}` }),
    unknown: () => ({ path: `/casting/links/${UNKNOWN_ID}` }),
    invalid: null,
  },
  'POST /watch/:linkId/open': {
    ...linkHolder,
    good: ({ shareLink }) => ({ path: `/watch/${shareLink.name}/open`, body: { token: shareLink.token } }),
    unknown: ({ shareLink }) => ({ path: `/watch/${UNKNOWN_NAME}/open`, body: { token: shareLink.token } }),
    invalid: {
      request: ({ shareLink }) => ({
        path: `/watch/${shareLink.name}/open`,
        body: { token: 'guess', code: 'x'.repeat(41) },
      }),
      fields: ['token', 'code'],
    },
  },
  'GET /watch/:linkId': {
    ...linkHolder,
    good: ({ shareLink }) => watch(shareLink, ''),
    unknown: ({ shareLink }) => watch({ ...shareLink, session: 'guess' }, ''),
    invalid: null,
  },
  'GET /watch/:linkId/session': {
    ...linkHolder,
    good: ({ shareLink }) => watch(shareLink, '/session'),
    unknown: ({ shareLink }) => watch({ ...shareLink, name: UNKNOWN_NAME }, '/session'),
    invalid: null,
  },
  'POST /watch/:linkId/viewed': {
    ...linkHolder,
    good: ({ shareLink }) => watch(shareLink, '/viewed', { take_id: shareLink.takeId, seconds: 5 }),
    unknown: ({ shareLink }) => watch(shareLink, '/viewed', { take_id: UNKNOWN_NAME, seconds: 5 }),
    invalid: {
      request: ({ shareLink }) => watch(shareLink, '/viewed', { take_id: 7, seconds: 61 }),
      fields: ['take_id', 'seconds'],
    },
  },
  'GET /watch/:linkId/takes/:takeId': {
    ...linkHolder,
    good: ({ shareLink }) => ({ path: shareLink.takeUrl }),
    unknown: ({ shareLink }) => ({ path: shareLink.takeUrl.replace(shareLink.takeId, UNKNOWN_NAME) }),
    invalid: {
      request: ({ shareLink }) => ({ path: shareLink.takeUrl.replace('part=video', 'part=all') }),
      fields: ['part'],
    },
  },
};
