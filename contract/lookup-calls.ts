import { CALLS } from './calls.ts';
import type { Endpoint, LookupName } from './section.ts';

/** The endpoint of each lookup list. */
export const LOOKUP_CALLS: Readonly<Record<LookupName, Endpoint>> = {
  languages: CALLS.languages,
  project_types: CALLS.projectTypes,
  media_languages: CALLS.mediaLanguages,
  language_accents: CALLS.languageAccents,
  voice_genders: CALLS.voiceGenders,
  voice_types: CALLS.voiceTypes,
};
