import type { Endpoint } from './section.ts';

/** Endpoints that the sync engine calls, besides those of the sections. */
export const ENGINE_CALLS = {
  config: { method: 'GET', path: '/config', isExtension: true },
  createProfile: { method: 'POST', path: '/profile', isExtension: true },
  updateProfile: { method: 'PUT', path: '/profile/update' },
  saveProfile: { method: 'POST', path: '/profile/:profileId/save' },
  unsaveProfile: { method: 'POST', path: '/profile/:profileId/unsave' },
  requestConnection: { method: 'POST', path: '/connections/request/:userId' },
  acceptConnection: { method: 'POST', path: '/connections/accept/:id' },
  declineConnection: { method: 'POST', path: '/connections/decline/:id', isExtension: true },
  endConnection: { method: 'DELETE', path: '/connections/:id', isExtension: true },
  block: { method: 'POST', path: '/blocks/:userId', isExtension: true },
  avatar: { method: 'POST', path: '/profile/avatar' },
  createUpload: { method: 'POST', path: '/uploads', isExtension: true },
  upload: { method: 'PATCH', path: '/uploads/:id', isExtension: true },
  submitMedia: { method: 'POST', path: '/submit/media-form' },
  photos: { method: 'GET', path: '/media' },
  videos: { method: 'GET', path: '/media/video' },
  recordings: { method: 'GET', path: '/media/audio' },
  documents: { method: 'GET', path: '/media/documents' },
  changeMedia: { method: 'PUT', path: '/media/:id', isExtension: true },
  saveMedia: { method: 'POST', path: '/media/:id/save' },
  unsaveMedia: { method: 'POST', path: '/media/:id/unsave' },
  deleteMedia: { method: 'DELETE', path: '/media/:id' },
  readNotifications: { method: 'POST', path: '/notifications/read', isExtension: true },
} as const satisfies Record<string, Endpoint>;

/** Endpoints from which pages of the app read for the engine. The service worker only sends. */
export const ENGINE_READS = {
  sync: { method: 'GET', path: '/sync', isExtension: true },
  profile: { method: 'GET', path: '/profile/details/:id' },
  profiles: { method: 'GET', path: '/profiles/all' },
} as const satisfies Record<string, Endpoint>;
