import { UNKNOWN_ID, type RouteRow } from './route-row.ts';

/**
 * The calls of all sections except credits and skills: a valid request and an invalid one for each. Written by hand,
 * like the rest of the table. The expected statuses are the same for all sections, see `rowsOf`.
 */
interface SectionCalls {
  list: string;
  /** A create, or for a set section the call that writes it. */
  write: { path: string; body: Record<string, unknown>; status: 200 | 201 };
  change?: { method: 'PUT' | 'PATCH'; path: string; body: Record<string, unknown> };
  remove?: string;
  /** For the stranger when the owner is a minor, whose rows of this section a stranger does not see. */
  toMinor?: number;
  /** Field errors in addition to the missing profile_id. */
  invalid: { body: Record<string, unknown>; fields: string[] };
}

const dated = { month: 5, year: 2019 };
const named = (path: string): SectionCalls => ({
  list: `${path}/:profileId`,
  write: { path, body: { name: 'Warm and low' }, status: 201 },
  change: { method: 'PUT', path: `${path}/:id`, body: { name: 'Gravelly' } },
  remove: `${path}/:id`,
  invalid: { body: { name: ' ' }, fields: ['name'] },
});

export const SECTION_CALLS: SectionCalls[] = [
  { ...named('/policies'), list: '/policies/:profileId/policies' },
  named('/jobroles'),
  named('/voice-characterstics'),
  {
    list: '/education/:profileId',
    write: { path: '/education', body: { description: 'School', course_name: 'Acting', ...dated }, status: 201 },
    change: { method: 'PUT', path: '/education/:id', body: { course_name: 'Stage fighting' } },
    remove: '/education/:id',
    invalid: {
      body: { description: '', month: 13, link: 'javascript:1' },
      fields: ['description', 'course_name', 'month', 'year', 'link'],
    },
  },
  {
    list: '/award/:profileId',
    write: { path: '/award', body: { award_name: 'Best newcomer', ...dated }, status: 201 },
    change: { method: 'PUT', path: '/award/:id', body: { award_name: 'Best actor' } },
    remove: '/award/:id',
    invalid: { body: { award_name: '', year: 1700 }, fields: ['award_name', 'month', 'year'] },
  },
  {
    list: '/highlight/:profileId',
    write: { path: '/highlight', body: { title: 'First night', year: 2021 }, status: 201 },
    change: { method: 'PUT', path: '/highlight/:id', body: { year: 2022 } },
    remove: '/highlight/:id',
    invalid: { body: { title: 'x'.repeat(151), year: 'soon' }, fields: ['title', 'year'] },
  },
  {
    list: '/contact/:profileId',
    write: {
      path: '/contact',
      body: { contact_type: 'representative', name: 'Desk', email: 'desk@callboard.example', address: 'Pune' },
      status: 201,
    },
    change: { method: 'PUT', path: '/contact/:id', body: { mobile: '+91 20 5550 1234' } },
    remove: '/contact/:id',
    toMinor: 404,
    invalid: {
      body: { contact_type: 'friend', name: 'x', email: 'nowhere', mobile: 'call me', address: 'x' },
      fields: ['contact_type', 'email', 'mobile'],
    },
  },
  {
    list: '/social-links/:profileId',
    write: { path: '/social-links', body: { website_url: 'https://example.org' }, status: 201 },
    change: { method: 'PATCH', path: '/social-links/:id', body: { youtube_url: 'https://youtube.com/@example' } },
    remove: '/social-links/:id',
    invalid: { body: { facebook_url: 'facebook' }, fields: ['facebook_url'] },
  },
  {
    list: '/documents/:profileId',
    write: { path: '/documents', body: { passport: true }, status: 200 },
    remove: '/document/:id',
    invalid: { body: { passport: 'yes' }, fields: ['passport'] },
  },
  {
    list: '/languages/:profileId',
    write: { path: '/languages', body: { languages: ['1'] }, status: 200 },
    remove: '/languages/:id',
    invalid: { body: { languages: ['1', '1'] }, fields: ['languages'] },
  },
  {
    list: '/profiles/:profileId/attributes',
    write: { path: '/attributes', body: { Height: 172.5, Hair: 'Black' }, status: 200 },
    invalid: { body: { Height: -1, Weight: 'heavy' }, fields: ['Height', 'Weight'] },
  },
];

const ownerAlone = { anonymous: 401, stranger: 403, strangerToInactive: 404 };

function rowsOf(calls: SectionCalls): Record<string, RouteRow> {
  const { list, write, change, remove, invalid, toMinor } = calls;
  const ofRow = { ...ownerAlone, ...(toMinor !== undefined && { toMinor }) };
  const rows: Record<string, RouteRow> = {
    [`GET ${list}`]: {
      anonymous: 200,
      stranger: 200,
      owner: 200,
      strangerToInactive: 404,
      good: ({ profileId }) => ({ path: list.replace(':profileId', profileId) }),
      unknown: () => ({ path: list.replace(':profileId', UNKNOWN_ID) }),
      invalid: null,
    },
    [`POST ${write.path}`]: {
      ...ownerAlone,
      owner: write.status,
      good: ({ profileId }) => ({ path: write.path, body: { profile_id: profileId, ...write.body } }),
      unknown: () => ({ path: write.path, body: { profile_id: UNKNOWN_ID, ...write.body } }),
      invalid: { request: () => ({ path: write.path, body: invalid.body }), fields: ['profile_id', ...invalid.fields] },
    },
  };
  if (change) {
    rows[`${change.method} ${change.path}`] = {
      ...ofRow,
      owner: 200,
      good: ({ sectionRowId }) => ({ path: change.path.replace(':id', sectionRowId), body: change.body }),
      unknown: () => ({ path: change.path.replace(':id', UNKNOWN_ID), body: change.body }),
      invalid: {
        request: ({ sectionRowId }) => ({ path: change.path.replace(':id', sectionRowId), body: { profile_id: {} } }),
        fields: ['profile_id'],
      },
    };
  }
  if (remove) {
    rows[`DELETE ${remove}`] = {
      ...ofRow,
      owner: 200,
      good: ({ sectionRowId }) => ({ path: remove.replace(':id', sectionRowId) }),
      unknown: () => ({ path: remove.replace(':id', UNKNOWN_ID) }),
      invalid: null,
    };
  }
  return rows;
}

/** Feedback: the owner cannot write it, only hide or delete it. The row is written by the stranger. */
const FEEDBACK_ROUTES: Record<string, RouteRow> = {
  'GET /feedback/:profileId': {
    anonymous: 200,
    stranger: 200,
    owner: 200,
    strangerToInactive: 404,
    good: ({ profileId }) => ({ path: `/feedback/${profileId}` }),
    unknown: () => ({ path: `/feedback/${UNKNOWN_ID}` }),
    invalid: null,
  },
  'POST /feedback': {
    anonymous: 401,
    stranger: 201,
    // Nobody writes to a minor whom they do not know.
    toMinor: 404,
    minor: 403,
    owner: 403,
    strangerToInactive: 404,
    good: ({ profileId }) => ({ path: '/feedback', body: { profile_id: profileId, feedback: 'A joy to work with' } }),
    unknown: () => ({ path: '/feedback', body: { profile_id: UNKNOWN_ID, feedback: 'A joy to work with' } }),
    invalid: { request: () => ({ path: '/feedback', body: { feedback: ' ' } }), fields: ['profile_id', 'feedback'] },
  },
  // For people other than the author. sections.test.ts covers the calls of the author.
  'PUT /feedback/:id': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ feedbackId }) => ({ path: `/feedback/${feedbackId}`, body: { is_hidden: true } }),
    unknown: () => ({ path: `/feedback/${UNKNOWN_ID}`, body: { is_hidden: true } }),
    invalid: {
      request: ({ feedbackId }) => ({ path: `/feedback/${feedbackId}`, body: { is_hidden: 'yes' } }),
      fields: ['is_hidden'],
    },
  },
  'DELETE /feedback/:id': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ feedbackId }) => ({ path: `/feedback/${feedbackId}` }),
    unknown: () => ({ path: `/feedback/${UNKNOWN_ID}` }),
    invalid: null,
  },
};

export const SECTION_ROUTES: Record<string, RouteRow> = Object.assign(
  {},
  FEEDBACK_ROUTES,
  ...SECTION_CALLS.map(rowsOf),
) as Record<string, RouteRow>;

/** Returns the call that creates a row for a route that edits or deletes one, or null where the route needs none. */
export function getCreateCall(route: string): { path: string; body: Record<string, unknown> } | null {
  const calls = SECTION_CALLS.find(
    ({ change, remove }) =>
      (change && route === `${change.method} ${change.path}`) || (remove && route === `DELETE ${remove}`),
  );
  return calls?.write ?? null;
}
