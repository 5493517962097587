import type { Endpoint } from './section.ts';

/** Every call that is not a section's (those stand in the section definitions). `plus`: beyond the bare specification. */
export const CALLS = {
  register: { method: 'POST', path: '/register', plus: true },
  login: { method: 'POST', path: '/login', plus: true },
  user: { method: 'GET', path: '/user', plus: true },
  logout: { method: 'POST', path: '/logout' },
  sessions: { method: 'GET', path: '/sessions', plus: true },
  endSession: { method: 'DELETE', path: '/sessions/:id', plus: true },
  changePassword: { method: 'PUT', path: '/password', plus: true },
  changeSettings: { method: 'PUT', path: '/settings', plus: true },
  exportAccount: { method: 'GET', path: '/account/export', plus: true },
  deleteAccount: { method: 'DELETE', path: '/account', plus: true },
  test: { method: 'GET', path: '/api/test' },
  industries: { method: 'GET', path: '/filters/industry' },
  config: { method: 'GET', path: '/config', plus: true },
  sync: { method: 'GET', path: '/sync', plus: true },
  profileTypes: { method: 'GET', path: '/profile_types', plus: true },
  createProfile: { method: 'POST', path: '/profile', plus: true },
  updateProfile: { method: 'PUT', path: '/profile/update' },
  profile: { method: 'GET', path: '/profile/details/:id' },
  profiles: { method: 'GET', path: '/profiles/all' },
  profilesOfUser: { method: 'GET', path: '/profiles/shared/all/:userId' },
  profileBySlug: { method: 'GET', path: '/profiles/by-slug/:userSlug/:typeSlug', plus: true },
  saveProfile: { method: 'POST', path: '/profile/:profileId/save' },
  unsaveProfile: { method: 'POST', path: '/profile/:profileId/unsave' },
  requestConnection: { method: 'POST', path: '/connections/request/:userId' },
  acceptConnection: { method: 'POST', path: '/connections/accept/:id' },
  declineConnection: { method: 'POST', path: '/connections/decline/:id', plus: true },
  endConnection: { method: 'DELETE', path: '/connections/:id', plus: true },
  blocks: { method: 'GET', path: '/blocks', plus: true },
  block: { method: 'POST', path: '/blocks/:userId', plus: true },
  unblock: { method: 'DELETE', path: '/blocks/:userId', plus: true },
  languages: { method: 'GET', path: '/languages' },
  avatar: { method: 'POST', path: '/profile/avatar' },
  createUpload: { method: 'POST', path: '/uploads', plus: true },
  upload: { method: 'PATCH', path: '/uploads/:id', plus: true },
  projectTypes: { method: 'GET', path: '/project_types' },
  mediaLanguages: { method: 'GET', path: '/media_languages' },
  // Spelled so in the bare specification.
  languageAccents: { method: 'GET', path: '/langugae_accents' },
  voiceGenders: { method: 'GET', path: '/voice_genders' },
  voiceTypes: { method: 'GET', path: '/voice_types' },
  submitMedia: { method: 'POST', path: '/submit/media-form' },
  photos: { method: 'GET', path: '/media' },
  videos: { method: 'GET', path: '/media/video' },
  recordings: { method: 'GET', path: '/media/audio' },
  documents: { method: 'GET', path: '/media/documents' },
  savedMedia: { method: 'GET', path: '/media/saved', plus: true },
  changeMedia: { method: 'PUT', path: '/media/:id', plus: true },
  saveMedia: { method: 'POST', path: '/media/:id/save' },
  unsaveMedia: { method: 'POST', path: '/media/:id/unsave' },
  mediaLink: { method: 'GET', path: '/media/:id/link', plus: true },
  validateMedia: { method: 'POST', path: '/media/validate' },
  uploadMedia: { method: 'POST', path: '/media/upload' },
  deleteMedia: { method: 'DELETE', path: '/media/:id' },
} as const satisfies Record<string, Endpoint>;

/** Fills `:name` parts, each percent-encoded. */
export function pathOf(endpoint: Pick<Endpoint, 'path'>, params: Record<string, string> = {}): string {
  return endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${endpoint.path} needs ${name}`);
    return encodeURIComponent(value);
  });
}
