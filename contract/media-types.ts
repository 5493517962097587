import { ENGINE_CALLS } from './engine-calls.ts';
import type { Endpoint } from './section.ts';

/**
 * What the sync engine needs to know about media, and all that the service worker bundles of it. The texts, files and fields
 * of each kind are in `media-kinds.ts`.
 */
export type MediaType = 'image' | 'video' | 'audio' | 'document';

export interface MediaList {
  kind: MediaType;
  noun: string;
  list: Endpoint;
  /** `media_type` values of the records in this list: the video list holds uploaded files and YouTube links. */
  types: readonly string[];
}

export const MEDIA_LISTS: readonly MediaList[] = [
  { kind: 'image', noun: 'photo', list: ENGINE_CALLS.photos, types: ['image'] },
  { kind: 'video', noun: 'video', list: ENGINE_CALLS.videos, types: ['video', 'youtube'] },
  { kind: 'audio', noun: 'recording', list: ENGINE_CALLS.recordings, types: ['audio'] },
  { kind: 'document', noun: 'document', list: ENGINE_CALLS.documents, types: ['document'] },
];

/** Returns the list that a record belongs to, by its `media_type`. */
export function mediaListOf(mediaType: unknown): MediaList | undefined {
  return MEDIA_LISTS.find(({ types }) => types.includes(String(mediaType)));
}

/** Media form fields that refer to a lookup list. Requests send the entry's id; responses and the local store hold its name. */
export const MEDIA_LOOKUP_FIELDS = {
  project_type: 'project_types',
  media_language: 'media_languages',
  language_accent: 'language_accents',
  voice_type: 'voice_types',
  voice_gender: 'voice_genders',
} as const;
