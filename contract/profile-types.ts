/**
 * Profile types. Voice artists also have job roles and voice characteristics. This file has no schemas, so that screens can
 * import it without Zod.
 */
export const PROFILE_TYPES = [
  { name: 'Actor / Performer', slug: 'actor-performer' },
  { name: 'Voice Artist', slug: 'voice-artist' },
  { name: 'Film Professional', slug: 'film-professional' },
  { name: 'Theatre Professional', slug: 'theatre-professional' },
  { name: 'TV Professional', slug: 'tv-professional' },
  { name: 'Video Professional', slug: 'video-professional' },
  { name: 'Audio Professional', slug: 'audio-professional' },
] as const;
