import { AVAILABILITY_ROUTES } from './availability-routes.table.ts';
import { CASTING_ROUTES } from './casting-routes.table.ts';
import { CHAT_ROUTES } from './chat-routes.table.ts';
import { MAIL_ROUTES } from './mail-routes.table.ts';
import { PUSH_ROUTES } from './push-routes.table.ts';
import { DESK_ROUTES } from './desk-routes.table.ts';
import { PEOPLE_ROUTES } from './people-routes.table.ts';
import { FILE_ROUTES } from './file-routes.table.ts';
import { UNKNOWN_ID, publicPage, signedIn, sameForEverybody, type RouteRow } from './route-row.ts';
import { LINK_ROUTES } from './link-routes.table.ts';
import { TAPE_ROUTES } from './tape-routes.table.ts';
import { SECTION_ROUTES } from './section-routes.table.ts';
import { CREDIT } from './support/people.ts';

/**
 * The expected status of every call for each kind of caller. Written by hand: a table derived from the contract would
 * agree with whatever it says. routes.test.ts fails for a served call that is missing here.
 */
export const ROUTES: Record<string, RouteRow> = {
  'GET /healthz': { ...sameForEverybody, good: () => ({ path: '/healthz' }) },
  'GET /livez': { ...sameForEverybody, good: () => ({ path: '/livez' }) },
  'GET /readyz': { ...sameForEverybody, good: () => ({ path: '/readyz' }) },
  'GET /config': { ...sameForEverybody, good: () => ({ path: '/config' }) },
  'GET /api/test': { ...sameForEverybody, good: () => ({ path: '/api/test' }) },
  'GET /openapi.json': { ...sameForEverybody, good: () => ({ path: '/openapi.json' }) },
  'GET /challenge': { ...sameForEverybody, good: () => ({ path: '/challenge' }) },
  'GET /profile_types': { ...sameForEverybody, good: () => ({ path: '/profile_types' }) },
  'GET /languages': { ...sameForEverybody, good: () => ({ path: '/languages' }) },
  'GET /filters/industry': { ...sameForEverybody, good: () => ({ path: '/filters/industry' }) },

  ...MAIL_ROUTES,
  ...TAPE_ROUTES,
  ...LINK_ROUTES,
  ...AVAILABILITY_ROUTES,

  ...CASTING_ROUTES,

  'GET /search': {
    ...sameForEverybody,
    good: () => ({ path: '/search?q=actor&type=actor-performer&limit=5' }),
    invalid: {
      request: () => ({ path: `/search?q=${'x'.repeat(201)}&age=old&reel=maybe&limit=few` }),
      fields: ['q', 'age', 'reel', 'limit'],
    },
  },
  'GET /insights': { ...sameForEverybody, good: () => ({ path: '/insights' }) },
  'GET /connections/suggested': {
    ...signedIn,
    good: () => ({ path: '/connections/suggested' }),
    unknown: null,
    invalid: null,
  },

  'POST /register': {
    anonymous: 201,
    stranger: 201,
    owner: 201,
    strangerToInactive: null,
    good: () => ({
      path: '/register',
      body: { name: 'New Face', email: `new${Math.random()}@callboard.example`, password: 'the ghost light stays on' },
    }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/register', body: { name: ' ', email: 'nowhere', password: 'short' } }),
      fields: ['name', 'email', 'password'],
    },
  },
  'POST /login': {
    anonymous: 200,
    stranger: 200,
    owner: 200,
    strangerToInactive: null,
    good: ({ owner }) => ({ path: '/login', body: { email: owner.email, password: owner.password } }),
    unknown: null,
    invalid: {
      request: ({ owner }) => ({ path: '/login', body: { email: owner.email, password: 'wrong' } }),
      fields: ['email'],
    },
  },
  'POST /password/forgot': {
    ...sameForEverybody,
    // The answer does not tell whether there is an account.
    anonymous: 202,
    stranger: 202,
    owner: 202,
    good: ({ owner }) => ({ path: '/password/forgot', body: { email: owner.email } }),
    invalid: { request: () => ({ path: '/password/forgot', body: { email: 'nowhere' } }), fields: ['email'] },
  },
  'POST /password/reset': {
    ...sameForEverybody,
    // The link works once, whoever opens it.
    stranger: 422,
    owner: 422,
    suspended: 200,
    good: ({ links }) => ({
      path: '/password/reset',
      body: { token: links.reset, password: 'the prompter never sleeps' },
    }),
    invalid: {
      request: () => ({ path: '/password/reset', body: { token: '', password: 'short' } }),
      fields: ['token', 'password'],
    },
  },
  'POST /links/check': {
    ...sameForEverybody,
    good: ({ links }) => ({ path: '/links/check', body: { token: links.secure, purpose: 'secure' } }),
    invalid: {
      request: ({ links }) => ({ path: '/links/check', body: { token: links.secure, purpose: 'reset' } }),
      fields: ['token'],
    },
  },
  'POST /email/verify': {
    ...sameForEverybody,
    good: ({ links }) => ({ path: '/email/verify', body: { token: links.verify } }),
    invalid: {
      request: ({ links }) => ({ path: '/email/verify', body: { token: links.reset } }),
      fields: ['token'],
    },
  },
  'POST /email/verify/send': {
    anonymous: 401,
    stranger: 202,
    owner: 202,
    suspended: 202,
    strangerToInactive: null,
    good: () => ({ path: '/email/verify/send' }),
    unknown: null,
    invalid: null,
  },
  'POST /secure': {
    ...sameForEverybody,
    good: ({ links }) => ({ path: '/secure', body: { token: links.secure } }),
    invalid: {
      request: ({ links }) => ({ path: '/secure', body: { token: links.verify } }),
      fields: ['token'],
    },
  },
  'POST /reauth/options': {
    ...signedIn,
    suspended: 200,
    good: () => ({ path: '/reauth/options' }),
    unknown: null,
    invalid: null,
  },
  'POST /reauth': {
    ...signedIn,
    suspended: 200,
    // Each person proves who they are themselves. All people of the test server share one password.
    good: ({ owner }) => ({ path: '/reauth', body: { password: owner.password } }),
    unknown: null,
    invalid: { request: () => ({ path: '/reauth', body: { password: 'wrong' } }), fields: ['password'] },
  },
  'GET /passkeys': { ...signedIn, good: () => ({ path: '/passkeys' }), unknown: null, invalid: null },
  'POST /passkeys/options': {
    ...signedIn,
    suspended: 200,
    good: () => ({ path: '/passkeys/options' }),
    unknown: null,
    invalid: null,
  },
  'POST /passkeys': {
    anonymous: 401,
    // The challenge was made for the owner's session.
    stranger: 422,
    owner: 201,
    suspended: 201,
    strangerToInactive: null,
    good: ({ access }) => ({ path: '/passkeys', body: access.addBody }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/passkeys', body: { challenge_id: 'none', response: null, name: ' ' } }),
      fields: ['challenge_id', 'response', 'name'],
    },
  },
  'PATCH /passkeys/:id': {
    anonymous: 401,
    // The passkeys of other people are not revealed.
    stranger: 404,
    owner: 200,
    suspended: 200,
    strangerToInactive: null,
    good: ({ access }) => ({ path: `/passkeys/${access.passkeyId}`, body: { name: 'Studio laptop' } }),
    unknown: () => ({ path: `/passkeys/${UNKNOWN_ID}`, body: { name: 'Studio laptop' } }),
    invalid: {
      request: ({ access }) => ({ path: `/passkeys/${access.passkeyId}`, body: { name: '' } }),
      fields: ['name'],
    },
  },
  'DELETE /passkeys/:id': {
    anonymous: 401,
    stranger: 404,
    owner: 200,
    suspended: 200,
    strangerToInactive: null,
    good: ({ access }) => ({ path: `/passkeys/${access.passkeyId}` }),
    unknown: () => ({ path: `/passkeys/${UNKNOWN_ID}` }),
    invalid: {
      request: ({ access }) => ({ path: `/passkeys/${access.passkeyId}`, body: { sign_out_others: 'yes' } }),
      fields: ['sign_out_others'],
    },
  },
  'POST /login/passkey/options': { ...sameForEverybody, good: () => ({ path: '/login/passkey/options' }) },
  'POST /login/passkey': {
    ...sameForEverybody,
    // The challenge works once, whoever has it.
    stranger: 422,
    owner: 422,
    suspended: 200,
    good: ({ access }) => ({ path: '/login/passkey', body: access.signInBody }),
    invalid: {
      request: () => ({ path: '/login/passkey', body: { challenge_id: 'none', response: {} } }),
      fields: ['challenge_id', 'response.id', 'response.rawId', 'response.type', 'response.response'],
    },
  },
  'GET /recovery-codes': { ...signedIn, good: () => ({ path: '/recovery-codes' }), unknown: null, invalid: null },
  'POST /recovery-codes': {
    anonymous: 401,
    stranger: 201,
    owner: 201,
    suspended: 201,
    strangerToInactive: null,
    good: () => ({ path: '/recovery-codes' }),
    unknown: null,
    invalid: null,
  },
  'POST /login/recovery': {
    ...sameForEverybody,
    // A code works once, whoever has it.
    stranger: 422,
    owner: 422,
    suspended: 200,
    good: ({ owner, access }) => ({ path: '/login/recovery', body: { email: owner.email, code: access.code } }),
    invalid: {
      request: () => ({ path: '/login/recovery', body: { email: '', code: '' } }),
      fields: ['email', 'code'],
    },
  },
  'GET /user': { ...signedIn, good: () => ({ path: '/user' }), unknown: null, invalid: null },
  'POST /logout': { ...signedIn, suspended: 200, good: () => ({ path: '/logout' }), unknown: null, invalid: null },
  'GET /sessions': { ...signedIn, good: () => ({ path: '/sessions' }), unknown: null, invalid: null },
  'POST /devices/pending': {
    ...signedIn,
    stranger: 204,
    owner: 204,
    good: () => ({
      path: '/devices/pending',
      headers: { 'x-pending': '2', 'x-pending-detail': 'edit=2;since=2026-11-17T10', 'x-store': 'new' },
    }),
    unknown: null,
    invalid: { request: () => ({ path: '/devices/pending' }), fields: ['X-Pending'] },
  },
  'GET /devices/lost': {
    ...signedIn,
    good: () => ({ path: '/devices/lost' }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/devices/lost', headers: { 'x-pending': '1', 'x-pending-detail': 'Paper Boats' } }),
      fields: ['X-Pending-Detail'],
    },
  },
  'POST /devices/:id/dismiss': {
    anonymous: 401,
    // The devices of other people are not revealed.
    stranger: 404,
    owner: 200,
    // Changes nothing that others see.
    suspended: 200,
    strangerToInactive: null,
    good: ({ deviceId }) => ({ path: `/devices/${deviceId}/dismiss` }),
    unknown: () => ({ path: '/devices/00000000-0000-4000-8000-000000000000/dismiss' }),
    invalid: null,
  },
  'DELETE /sessions/:id': {
    anonymous: 401,
    // The sessions of other people are not revealed.
    stranger: 404,
    owner: 200,
    suspended: 200,
    strangerToInactive: null,
    good: ({ sessionId }) => ({ path: `/sessions/${sessionId}` }),
    unknown: () => ({ path: `/sessions/${UNKNOWN_ID}` }),
    invalid: null,
  },
  'PUT /password': {
    anonymous: 401,
    // Each person changes their own password. All people of the test server share one.
    stranger: 200,
    owner: 200,
    suspended: 200,
    strangerToInactive: null,
    good: ({ owner }) => ({
      path: '/password',
      body: { current_password: owner.password, password: 'the prompter never sleeps' },
    }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/password', body: { current_password: '', password: 'short' } }),
      fields: ['current_password', 'password'],
    },
  },
  'PUT /name': {
    ...signedIn,
    good: () => ({ path: '/name', body: { name: 'Another Name' } }),
    unknown: null,
    invalid: { request: () => ({ path: '/name', body: { name: ' ' } }), fields: ['name'] },
  },
  'PUT /email': {
    anonymous: 401,
    // Each person changes their own address.
    stranger: 202,
    owner: 202,
    suspended: 202,
    strangerToInactive: null,
    good: () => ({ path: '/email', body: { email: `moved${Math.random()}@callboard.example` } }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/email', body: { email: 'nowhere' } }),
      fields: ['email'],
    },
  },
  'GET /settings': { ...signedIn, good: () => ({ path: '/settings' }), unknown: null, invalid: null },
  'PUT /settings': {
    ...signedIn,
    suspended: 200,
    good: () => ({ path: '/settings', body: { read_receipts: false } }),
    unknown: null,
    invalid: { request: () => ({ path: '/settings', body: { read_receipts: 'no' } }), fields: ['read_receipts'] },
  },
  'GET /account': { ...signedIn, good: () => ({ path: '/account' }), unknown: null, invalid: null },
  'GET /consents': { ...signedIn, good: () => ({ path: '/consents' }), unknown: null, invalid: null },
  'POST /consents': {
    anonymous: 401,
    stranger: 201,
    owner: 201,
    strangerToInactive: null,
    good: () => ({ path: '/consents', body: { document: 'terms', version: '1' } }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/consents', body: { document: 'rules', version: '' } }),
      fields: ['document', 'version'],
    },
  },
  'PUT /born-on': {
    ...signedIn,
    // Nobody comes of age by correcting a date: the desk is asked.
    minor: 202,
    good: () => ({ path: '/born-on', body: { born_on: '1994-08-17' } }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/born-on', body: { born_on: '1994-02-30', reason: 'x'.repeat(501) } }),
      fields: ['born_on', 'reason'],
    },
  },
  'DELETE /born-on/request': {
    anonymous: 401,
    // They have asked for nothing.
    stranger: 404,
    owner: 200,
    strangerToInactive: null,
    good: () => ({ path: '/born-on/request' }),
    unknown: null,
    invalid: null,
  },
  'POST /of-age': { ...signedIn, minor: 422, good: () => ({ path: '/of-age' }), unknown: null, invalid: null },
  'PUT /guardian': {
    anonymous: 401,
    // Only minors have guardians.
    stranger: 422,
    minor: 202,
    owner: 422,
    strangerToInactive: null,
    good: () => ({ path: '/guardian', body: { email: 'guardian@callboard.example' } }),
    unknown: null,
    invalid: { request: () => ({ path: '/guardian', body: { email: 'nowhere' } }), fields: ['email'] },
  },
  'POST /guardian/decide': {
    ...sameForEverybody,
    good: ({ links }) => ({ path: '/guardian/decide', body: { token: links.guardian, agree: true } }),
    invalid: {
      request: ({ links }) => ({ path: '/guardian/decide', body: { token: links.verify, agree: true } }),
      fields: ['token'],
    },
  },
  'GET /account/export': { ...signedIn, good: () => ({ path: '/account/export' }), unknown: null, invalid: null },
  'DELETE /account': {
    ...signedIn,
    suspended: 200,
    good: ({ owner }) => ({ path: '/account', body: { password: owner.password } }),
    unknown: null,
    invalid: { request: () => ({ path: '/account', body: { password: 'wrong' } }), fields: ['password'] },
  },
  'GET /sync': { ...signedIn, good: () => ({ path: '/sync' }), unknown: null, invalid: null },

  'POST /profile': {
    anonymous: 401,
    stranger: 201,
    owner: 201,
    strangerToInactive: null,
    good: ({ freeTypeId }) => ({ path: '/profile', body: { profile_type_id: freeTypeId, stage_name: 'Ila D' } }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/profile', body: { profile_type_id: UNKNOWN_ID, stage_name: 'Ila' } }),
      fields: ['profile_type_id'],
    },
  },
  'PUT /profile/update': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ profileId }) => ({ path: '/profile/update', body: { profile_id: profileId, title: 'Actor' } }),
    unknown: () => ({ path: '/profile/update', body: { profile_id: UNKNOWN_ID, title: 'Actor' } }),
    invalid: {
      request: ({ profileId }) => ({
        path: '/profile/update',
        body: { profile_id: profileId, stage_name: '', max_age_range: 101, dob: '2001-02-30', status: 'away' },
      }),
      fields: ['stage_name', 'max_age_range', 'dob', 'status'],
    },
  },
  'GET /profile/details/:id': {
    ...publicPage,
    good: ({ profileId }) => ({ path: `/profile/details/${profileId}` }),
    unknown: () => ({ path: `/profile/details/${UNKNOWN_ID}` }),
  },
  'GET /profiles/all': {
    ...signedIn,
    good: () => ({ path: '/profiles/all' }),
    unknown: null,
    invalid: { request: () => ({ path: '/profiles/all?cursor=nonsense' }), fields: ['cursor'] },
  },
  'GET /profiles/shared/all/:userId': {
    ...publicPage,
    // Only the owner sees an inactive profile. The person still exists.
    strangerToInactive: 200,
    blocked: 404,
    good: ({ owner }) => ({ path: `/profiles/shared/all/${owner.id}` }),
    unknown: () => ({ path: `/profiles/shared/all/${UNKNOWN_ID}` }),
  },
  'GET /profiles/page/:userSlug/:typeSlug': {
    ...publicPage,
    good: ({ owner }) => ({ path: `/profiles/page/${owner.name.toLowerCase().replace(/ /g, '-')}/actor-performer` }),
    unknown: () => ({ path: '/profiles/page/nobody-at-all/actor-performer' }),
  },
  'GET /profiles/by-slug/:userSlug/:typeSlug': {
    ...publicPage,
    good: ({ owner }) => ({ path: `/profiles/by-slug/${owner.name.toLowerCase().replace(/ /g, '-')}/actor-performer` }),
    unknown: () => ({ path: '/profiles/by-slug/nobody-at-all/actor-performer' }),
  },

  'GET /profile/aboutme/:profileId': {
    ...publicPage,
    good: ({ profileId }) => ({ path: `/profile/aboutme/${profileId}` }),
    unknown: () => ({ path: `/profile/aboutme/${UNKNOWN_ID}` }),
  },

  'GET /profile/experiences/:profileId': {
    ...publicPage,
    good: ({ profileId }) => ({ path: `/profile/experiences/${profileId}` }),
    unknown: () => ({ path: `/profile/experiences/${UNKNOWN_ID}` }),
  },
  'POST /profile/experience': {
    anonymous: 401,
    stranger: 403,
    owner: 201,
    strangerToInactive: 404,
    good: ({ profileId }) => ({ path: '/profile/experience', body: { profile_id: profileId, ...CREDIT } }),
    unknown: () => ({ path: '/profile/experience', body: { profile_id: UNKNOWN_ID, ...CREDIT } }),
    invalid: {
      request: ({ profileId }) => ({
        path: '/profile/experience',
        body: {
          ...CREDIT,
          profile_id: profileId,
          experience_type: 'Circus',
          details: '',
          start_month: 13,
          link: 'www',
        },
      }),
      fields: ['experience_type', 'details', 'start_month', 'link'],
    },
  },
  'PUT /profile/experience/:id': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ creditId, profileId }) => ({
      path: `/profile/experience/${creditId}`,
      body: { profile_id: profileId, details: 'Understudy' },
    }),
    unknown: () => ({ path: `/profile/experience/${UNKNOWN_ID}`, body: { details: 'Understudy' } }),
    invalid: {
      request: ({ creditId }) => ({ path: `/profile/experience/${creditId}`, body: { end_year: 1999 } }),
      fields: ['end_year'],
    },
  },
  'DELETE /profile/experience/:id': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ creditId }) => ({ path: `/profile/experience/${creditId}` }),
    unknown: () => ({ path: `/profile/experience/${UNKNOWN_ID}` }),
    invalid: null,
  },

  'GET /profiles/:profileId/skills': {
    ...publicPage,
    good: ({ profileId }) => ({ path: `/profiles/${profileId}/skills` }),
    unknown: () => ({ path: `/profiles/${UNKNOWN_ID}/skills` }),
  },
  'POST /skills': {
    anonymous: 401,
    stranger: 403,
    owner: 201,
    strangerToInactive: 404,
    good: ({ profileId }) => ({ path: '/skills', body: { profile_id: profileId, name: 'Mime', level: 1 } }),
    unknown: () => ({ path: '/skills', body: { profile_id: UNKNOWN_ID, name: 'Mime', level: 1 } }),
    invalid: {
      request: () => ({ path: '/skills', body: { name: 'x'.repeat(101), level: 4 } }),
      fields: ['profile_id', 'name', 'level'],
    },
  },
  'PUT /skills/:id': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ skillId }) => ({ path: `/skills/${skillId}`, body: { level: 3 } }),
    unknown: () => ({ path: `/skills/${UNKNOWN_ID}`, body: { level: 3 } }),
    invalid: { request: ({ skillId }) => ({ path: `/skills/${skillId}`, body: { name: '  ' } }), fields: ['name'] },
  },
  'DELETE /skills/:id': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ skillId }) => ({ path: `/skills/${skillId}` }),
    unknown: () => ({ path: `/skills/${UNKNOWN_ID}` }),
    invalid: null,
  },

  ...SECTION_ROUTES,

  'POST /profile/:profileId/save': {
    anonymous: 401,
    stranger: 200,
    // People cannot save their own profile.
    owner: 422,
    strangerToInactive: 404,
    good: ({ profileId }) => ({ path: `/profile/${profileId}/save` }),
    unknown: () => ({ path: `/profile/${UNKNOWN_ID}/save` }),
    invalid: null,
  },
  'POST /profile/:profileId/unsave': {
    anonymous: 401,
    stranger: 200,
    owner: 200,
    strangerToInactive: 404,
    good: ({ profileId }) => ({ path: `/profile/${profileId}/unsave` }),
    unknown: () => ({ path: `/profile/${UNKNOWN_ID}/unsave` }),
    invalid: null,
  },
  'POST /connections/request/:userId': {
    toMinor: 404,
    minor: 403,
    anonymous: 401,
    stranger: 201,
    connection: 200,
    owner: 422,
    strangerToInactive: 404,
    good: ({ owner }) => ({ path: `/connections/request/${owner.id}` }),
    unknown: () => ({ path: `/connections/request/${UNKNOWN_ID}` }),
    invalid: {
      request: ({ stranger }) => ({
        path: `/connections/request/${stranger.id}`,
        body: { message: 'x'.repeat(1001), client_id: 'mine' },
      }),
      fields: ['message', 'client_id'],
    },
  },
  'POST /connections/accept/:id': {
    anonymous: 401,
    // A connection of two other people is not revealed.
    stranger: 404,
    owner: 200,
    strangerToInactive: null,
    good: ({ requestId }) => ({ path: `/connections/accept/${requestId}` }),
    unknown: () => ({ path: `/connections/accept/${UNKNOWN_ID}` }),
    invalid: null,
  },
  'POST /connections/decline/:id': {
    anonymous: 401,
    stranger: 404,
    owner: 200,
    strangerToInactive: null,
    good: ({ requestId }) => ({ path: `/connections/decline/${requestId}` }),
    unknown: () => ({ path: `/connections/decline/${UNKNOWN_ID}` }),
    invalid: null,
  },
  'DELETE /connections/:id': {
    anonymous: 401,
    stranger: 404,
    owner: 200,
    strangerToInactive: null,
    good: ({ requestId }) => ({ path: `/connections/${requestId}` }),
    unknown: () => ({ path: `/connections/${UNKNOWN_ID}` }),
    invalid: null,
  },
  // Each person gets their own list.
  'GET /blocks': { ...signedIn, good: () => ({ path: '/blocks' }), unknown: null, invalid: null },
  'POST /blocks/:userId': {
    anonymous: 401,
    stranger: 200,
    blocked: 404,
    owner: 422,
    // The person still exists.
    strangerToInactive: 200,
    good: ({ owner }) => ({ path: `/blocks/${owner.id}` }),
    unknown: () => ({ path: `/blocks/${UNKNOWN_ID}` }),
    invalid: null,
  },
  'DELETE /blocks/:userId': {
    anonymous: 401,
    // None of the callers has blocked the owner.
    stranger: 404,
    owner: 422,
    strangerToInactive: null,
    good: ({ owner }) => ({ path: `/blocks/${owner.id}` }),
    unknown: () => ({ path: `/blocks/${UNKNOWN_ID}` }),
    invalid: null,
  },

  ...PEOPLE_ROUTES,
  ...PUSH_ROUTES,
  ...DESK_ROUTES,
  ...CHAT_ROUTES,
  ...FILE_ROUTES,
};
