import { ENGINE_CALLS } from './engine-calls.ts';
import type { Endpoint } from './section.ts';

/** Every endpoint except those of the sections, which the section definitions list. */
export const CALLS = {
  ...ENGINE_CALLS,
  register: { method: 'POST', path: '/register', isExtension: true },
  login: { method: 'POST', path: '/login', isExtension: true },
  user: { method: 'GET', path: '/user', isExtension: true },
  logout: { method: 'POST', path: '/logout' },
  sessions: { method: 'GET', path: '/sessions', isExtension: true },
  endSession: { method: 'DELETE', path: '/sessions/:id', isExtension: true },
  changePassword: { method: 'PUT', path: '/password', isExtension: true },
  settings: { method: 'GET', path: '/settings', isExtension: true },
  changeSettings: { method: 'PUT', path: '/settings', isExtension: true },
  exportAccount: { method: 'GET', path: '/account/export', isExtension: true },
  deleteAccount: { method: 'DELETE', path: '/account', isExtension: true },
  test: { method: 'GET', path: '/api/test' },
  industries: { method: 'GET', path: '/filters/industry' },
  profileTypes: { method: 'GET', path: '/profile_types', isExtension: true },
  profilesOfUser: { method: 'GET', path: '/profiles/shared/all/:userId' },
  profilePage: { method: 'GET', path: '/profiles/page/:userSlug/:typeSlug', isExtension: true },
  profileBySlug: { method: 'GET', path: '/profiles/by-slug/:userSlug/:typeSlug', isExtension: true },
  blocks: { method: 'GET', path: '/blocks', isExtension: true },
  unblock: { method: 'DELETE', path: '/blocks/:userId', isExtension: true },
  languages: { method: 'GET', path: '/languages' },
  projectTypes: { method: 'GET', path: '/project_types' },
  mediaLanguages: { method: 'GET', path: '/media_languages' },
  // The basic API spells it this way.
  languageAccents: { method: 'GET', path: '/langugae_accents' },
  voiceGenders: { method: 'GET', path: '/voice_genders' },
  voiceTypes: { method: 'GET', path: '/voice_types' },
  savedMedia: { method: 'GET', path: '/media/saved', isExtension: true },
  mediaLink: { method: 'GET', path: '/media/:id/link', isExtension: true },
  validateMedia: { method: 'POST', path: '/media/validate' },
  uploadMedia: { method: 'POST', path: '/media/upload' },
} as const satisfies Record<string, Endpoint>;
