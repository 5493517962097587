import { ENGINE_CALLS } from './engine-calls.ts';
import type { Endpoint } from './section.ts';

/**
 * What the engine has to know of media: the worker carries this and nothing more of them. Words, files and fields of each
 * kind are in `media-kinds.ts`.
 */
export type MediaType = 'image' | 'video' | 'audio' | 'document';

export interface MediaList {
  kind: MediaType;
  noun: string;
  list: Endpoint;
  /** `media_type` of the records in the list: a video lies here or with others. */
  types: readonly string[];
}

export const MEDIA_LISTS: readonly MediaList[] = [
  { kind: 'image', noun: 'photo', list: ENGINE_CALLS.photos, types: ['image'] },
  { kind: 'video', noun: 'video', list: ENGINE_CALLS.videos, types: ['video', 'youtube'] },
  { kind: 'audio', noun: 'recording', list: ENGINE_CALLS.recordings, types: ['audio'] },
  { kind: 'document', noun: 'document', list: ENGINE_CALLS.documents, types: ['document'] },
];

/** The list a record belongs to, by its `media_type`. */
export function mediaListOf(mediaType: unknown): MediaList | undefined {
  return MEDIA_LISTS.find(({ types }) => types.includes(String(mediaType)));
}

/** Fields of media forms that name an entry of a list: sent as its id, told and kept on the device as its name. */
export const MEDIA_LOOKUP_FIELDS = {
  project_type: 'project_types',
  media_language: 'media_languages',
  language_accent: 'language_accents',
  voice_type: 'voice_types',
  voice_gender: 'voice_genders',
} as const;
