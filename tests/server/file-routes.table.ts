import { randomUUID } from 'node:crypto';
import { UNKNOWN_ID, publicPage, signedIn, sameForEverybody, type RouteRow } from './route-row.ts';

const TUS = { 'tus-resumable': '1.0.0' };
const DIGEST = '0'.repeat(64);
const PARTS = { kind: 'video', size: 9, sha256: DIGEST, parts: [{ n: 1, size: 9, sha256: DIGEST }], want: [1] };

/** Calls for media and uploads. */
export const FILE_ROUTES: Record<string, RouteRow> = {
  'GET /project_types': { ...sameForEverybody, good: () => ({ path: '/project_types' }) },
  'GET /media_languages': { ...sameForEverybody, good: () => ({ path: '/media_languages' }) },
  'GET /langugae_accents': { ...sameForEverybody, good: () => ({ path: '/langugae_accents' }) },
  'GET /voice_genders': { ...sameForEverybody, good: () => ({ path: '/voice_genders' }) },
  'GET /voice_types': { ...sameForEverybody, good: () => ({ path: '/voice_types' }) },
  'GET /media': {
    ...publicPage,
    good: ({ profileId }) => ({ path: `/media?profile_id=${profileId}` }),
    unknown: () => ({ path: `/media?profile_id=${UNKNOWN_ID}` }),
    invalid: { request: () => ({ path: '/media?period=always' }), fields: ['period'] },
  },
  'GET /media/video': {
    ...publicPage,
    good: ({ profileId }) => ({ path: `/media/video?profile_id=${profileId}` }),
    unknown: () => ({ path: `/media/video?profile_id=${UNKNOWN_ID}` }),
    invalid: { request: () => ({ path: '/media/video?period=always' }), fields: ['period'] },
  },
  'GET /media/audio': {
    ...publicPage,
    good: ({ profileId }) => ({ path: `/media/audio?profile_id=${profileId}` }),
    unknown: () => ({ path: `/media/audio?profile_id=${UNKNOWN_ID}` }),
    invalid: { request: () => ({ path: '/media/audio?period=always' }), fields: ['period'] },
  },
  'GET /media/documents': {
    ...publicPage,
    good: ({ profileId }) => ({ path: `/media/documents?profile_id=${profileId}` }),
    unknown: () => ({ path: `/media/documents?profile_id=${UNKNOWN_ID}` }),
    invalid: { request: () => ({ path: '/media/documents?period=always' }), fields: ['period'] },
  },
  'GET /media/saved': {
    ...signedIn,
    good: () => ({ path: '/media/saved' }),
    unknown: null,
    invalid: { request: () => ({ path: '/media/saved?limit=all&cursor=x' }), fields: ['limit'] },
  },
  'POST /submit/media-form': {
    anonymous: 401,
    stranger: 403,
    owner: 201,
    strangerToInactive: 404,
    good: ({ profileId, uploadId }) => ({
      path: '/submit/media-form',
      body: { profile_id: profileId, media_type: 'image', name: 'Backstage', upload_ids: [uploadId] },
    }),
    unknown: ({ uploadId }) => ({
      path: '/submit/media-form',
      body: { profile_id: UNKNOWN_ID, media_type: 'image', name: 'Backstage', upload_ids: [uploadId] },
    }),
    invalid: {
      request: ({ profileId, uploadId }) => ({
        path: '/submit/media-form',
        body: { profile_id: profileId, media_type: 'image', name: '', project_type: {}, upload_ids: [uploadId] },
      }),
      fields: ['name', 'project_type'],
    },
  },
  'POST /media/validate': {
    ...signedIn,
    good: () => ({ path: '/media/validate', body: { files: [{ name: 'me.jpg', size: 10, type: 'image/jpeg' }] } }),
    unknown: null,
    invalid: {
      request: () => ({ path: '/media/validate', body: { files: [{ name: 'me.gif', size: 10, type: 'image/gif' }] } }),
      fields: ['File 1'],
    },
  },
  'POST /media/upload': {
    anonymous: 401,
    stranger: 403,
    owner: 201,
    strangerToInactive: 404,
    good: ({ profileId }) => ({
      path: '/media/upload',
      body: { profile_id: profileId, youtube_urls: '["https://youtu.be/dQw4w9WgXcQ"]' },
    }),
    unknown: () => ({
      path: '/media/upload',
      body: { profile_id: UNKNOWN_ID, youtube_urls: ['https://youtu.be/dQw4w9WgXcQ'] },
    }),
    invalid: {
      request: () => ({ path: '/media/upload', body: { youtube_urls: 'https://youtu.be/dQw4w9WgXcQ' } }),
      fields: ['youtube_urls'],
    },
  },
  'PUT /media/:id': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ photoId }) => ({ path: `/media/${photoId}`, body: { name: 'In the wings', position: 2 } }),
    unknown: () => ({ path: `/media/${UNKNOWN_ID}`, body: { name: 'In the wings' } }),
    invalid: {
      request: ({ photoId }) => ({
        path: `/media/${photoId}`,
        body: { name: '', month_year: 'May', project_type: {}, position: -1, is_hidden: 'no', is_primary: 1 },
      }),
      fields: ['name', 'month_year', 'project_type', 'position', 'is_hidden', 'is_primary'],
    },
  },
  'GET /media/:id/link': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ photoId }) => ({ path: `/media/${photoId}/link` }),
    unknown: () => ({ path: `/media/${UNKNOWN_ID}/link` }),
    invalid: null,
  },
  'POST /media/:id/save': {
    ...signedIn,
    strangerToInactive: 404,
    good: ({ photoId }) => ({ path: `/media/${photoId}/save` }),
    unknown: () => ({ path: `/media/${UNKNOWN_ID}/save` }),
    invalid: null,
  },
  'POST /media/:id/unsave': {
    ...signedIn,
    strangerToInactive: 404,
    good: ({ photoId }) => ({ path: `/media/${photoId}/unsave` }),
    unknown: () => ({ path: `/media/${UNKNOWN_ID}/unsave` }),
    invalid: null,
  },
  'DELETE /media/:id': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ photoId }) => ({ path: `/media/${photoId}` }),
    unknown: () => ({ path: `/media/${UNKNOWN_ID}` }),
    invalid: null,
  },
  'POST /profile/avatar': {
    anonymous: 401,
    stranger: 403,
    owner: 200,
    strangerToInactive: 404,
    good: ({ profileId, uploadId }) => ({ path: '/profile/avatar', body: { profileId, upload_id: uploadId } }),
    unknown: ({ uploadId }) => ({ path: '/profile/avatar', body: { profileId: UNKNOWN_ID, upload_id: uploadId } }),
    invalid: {
      request: () => ({ path: '/profile/avatar', body: { upload_id: 'mine' } }),
      fields: ['profileId', 'upload_id'],
    },
  },
  'GET /storage/:file_path': {
    ...publicPage,
    good: ({ photoPath }) => ({ path: photoPath }),
    unknown: () => ({ path: `/storage/${'0'.repeat(32)}.jpg` }),
  },
  'POST /uploads': {
    anonymous: 401,
    stranger: 201,
    owner: 201,
    strangerToInactive: null,
    good: () => ({
      path: '/uploads',
      headers: { ...TUS, 'upload-length': '10', 'upload-metadata': `id ${btoa(randomUUID())}` },
    }),
    unknown: null,
    invalid: {
      request: () => ({
        path: '/uploads',
        headers: { ...TUS, 'upload-length': '10', 'upload-metadata': `id ${btoa('photo.jpg')}` },
      }),
      fields: ['id'],
    },
  },
  'PATCH /uploads/:id': {
    anonymous: 401,
    // The existence of other people's uploads is not revealed.
    stranger: 404,
    owner: 204,
    strangerToInactive: null,
    good: ({ emptyUploadId }) => ({
      path: `/uploads/${emptyUploadId}`,
      headers: { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: Buffer.from('0123456789'),
    }),
    unknown: () => ({
      path: `/uploads/${randomUUID()}`,
      headers: { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: Buffer.from('0123456789'),
    }),
    invalid: {
      request: ({ emptyUploadId }) => ({
        path: `/uploads/${emptyUploadId}`,
        headers: { ...TUS, 'upload-offset': 'end', 'content-type': 'application/offset+octet-stream' },
        body: Buffer.from('0123456789'),
      }),
      fields: ['Upload-Offset'],
    },
  },
  'GET /uploads/:id': {
    anonymous: 401,
    stranger: 404,
    owner: 200,
    strangerToInactive: null,
    good: ({ uploadId }) => ({ path: `/uploads/${uploadId}` }),
    unknown: () => ({ path: `/uploads/${randomUUID()}` }),
    invalid: null,
  },
  // The server of this table has no bucket; `direct-uploads.test.ts` has one.
  'POST /uploads/:id/parts': {
    anonymous: 401,
    stranger: 404,
    owner: 404,
    strangerToInactive: null,
    good: ({ emptyUploadId }) => ({ path: `/uploads/${emptyUploadId}/parts`, body: PARTS }),
    unknown: () => ({ path: `/uploads/${randomUUID()}/parts`, body: PARTS }),
    invalid: {
      request: ({ emptyUploadId }) => ({
        path: `/uploads/${emptyUploadId}/parts`,
        body: { ...PARTS, kind: 'image', size: 0, sha256: 'none', parts: [], want: Array(9).fill(1) },
      }),
      fields: ['kind', 'size', 'sha256', 'parts', 'want'],
    },
  },
  'POST /uploads/:id/complete': {
    anonymous: 401,
    stranger: 404,
    owner: 404,
    strangerToInactive: null,
    good: ({ uploadId }) => ({ path: `/uploads/${uploadId}/complete` }),
    unknown: () => ({ path: `/uploads/${randomUUID()}/complete` }),
    invalid: null,
  },
  'DELETE /uploads/:id': {
    anonymous: 401,
    stranger: 404,
    owner: 204,
    strangerToInactive: null,
    good: ({ uploadId }) => ({ path: `/uploads/${uploadId}`, headers: TUS }),
    unknown: () => ({ path: `/uploads/${randomUUID()}`, headers: TUS }),
    invalid: null,
  },
};
