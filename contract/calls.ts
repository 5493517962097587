import { ENGINE_CALLS, ENGINE_READS } from './engine-calls.ts';
import type { Endpoint } from './section.ts';

/** The endpoints that several parts of the app use. Those of the sections are in the definitions of the sections. */
export const CALLS = {
  ...ENGINE_CALLS,
  ...ENGINE_READS,
  user: { method: 'GET', path: '/user', isExtension: true },
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
