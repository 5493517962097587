import { UNKNOWN_ID, type RouteRow } from './route-row.ts';

/** For calls about a tape, of which only the two sides of its audition know. */
const ownSideOnly = { anonymous: 401, stranger: 404, owner: 200, strangerToInactive: null };

/** Calls for tapes. The owner of the fixture has sent one and received one. */
export const TAPE_ROUTES: Record<string, RouteRow> = {
  'POST /auditions/tapes': {
    ...ownSideOnly,
    owner: 201,
    good: ({ tapes }) => ({
      path: '/auditions/tapes',
      body: {
        request_id: tapes.auditionId,
        takes: [{ upload_id: '0f4d3a52-8a0e-4c35-9f6c-2f7d5b1e9c11', name: 'Take 1.mp4', size: 2500 }],
        finished_device: '2026-11-21T08:59:00Z',
      },
    }),
    unknown: () => ({
      path: '/auditions/tapes',
      body: {
        request_id: UNKNOWN_ID,
        takes: [{ upload_id: '0f4d3a52-8a0e-4c35-9f6c-2f7d5b1e9c11', name: 'Take 1.mp4', size: 2500 }],
        finished_device: '2026-11-21T08:59:00Z',
      },
    }),
    invalid: {
      request: ({ tapes }) => ({
        path: '/auditions/tapes',
        body: { request_id: tapes.auditionId, takes: [], note: 'x'.repeat(1001), finished_device: 'tonight' },
      }),
      fields: ['takes', 'note', 'finished_device'],
    },
  },
  'POST /auditions/tapes/:id/arrive': {
    ...ownSideOnly,
    good: ({ tapes }) => ({
      path: `/auditions/tapes/${tapes.sentId}/arrive`,
      body: { upload_ids: [tapes.uploadId] },
    }),
    unknown: ({ tapes }) => ({
      path: `/auditions/tapes/${UNKNOWN_ID}/arrive`,
      body: { upload_ids: [tapes.uploadId] },
    }),
    invalid: {
      request: ({ tapes }) => ({ path: `/auditions/tapes/${tapes.sentId}/arrive`, body: { upload_ids: 'all' } }),
      fields: ['upload_ids'],
    },
  },
  'GET /auditions/tapes/:id/links': {
    ...ownSideOnly,
    good: ({ tapes }) => ({ path: `/auditions/tapes/${tapes.receivedId}/links` }),
    unknown: () => ({ path: `/auditions/tapes/${UNKNOWN_ID}/links` }),
    invalid: null,
  },
  'POST /casting/tapes/:id/viewed': {
    ...ownSideOnly,
    good: ({ tapes }) => ({ path: `/casting/tapes/${tapes.receivedId}/viewed`, body: { seconds: 12.5 } }),
    unknown: () => ({ path: `/casting/tapes/${UNKNOWN_ID}/viewed`, body: { seconds: 12.5 } }),
    invalid: {
      request: ({ tapes }) => ({ path: `/casting/tapes/${tapes.receivedId}/viewed`, body: { seconds: -1 } }),
      fields: ['seconds'],
    },
  },
  'PUT /casting/tapes/:id/mark': {
    ...ownSideOnly,
    good: ({ tapes }) => ({ path: `/casting/tapes/${tapes.receivedId}/mark`, body: { grade: 'A', text: 'Warm' } }),
    unknown: () => ({ path: `/casting/tapes/${UNKNOWN_ID}/mark`, body: { grade: 'A' } }),
    invalid: {
      request: ({ tapes }) => ({
        path: `/casting/tapes/${tapes.receivedId}/mark`,
        body: { grade: 'D', text: 'x'.repeat(2001) },
      }),
      fields: ['grade', 'text'],
    },
  },
};
