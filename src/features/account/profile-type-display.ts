import { AudioLines, Clapperboard, Drama, Lightbulb, Mic, Tv, UserRound, Video, type LucideIcon } from 'lucide-react';

/** Icon and description of each profile type. A type that the server adds later gets a default. */
const PROFILE_TYPE_DISPLAYS: Record<string, { icon: LucideIcon; line: string }> = {
  'actor-performer': { icon: Drama, line: 'Film, theatre, TV' },
  'voice-artist': { icon: Mic, line: 'Narration, dubbing, games' },
  'film-professional': { icon: Clapperboard, line: 'Direction, camera, art' },
  'theatre-professional': { icon: Lightbulb, line: 'Stage, light, design' },
  'tv-professional': { icon: Tv, line: 'Series, shows, news' },
  'video-professional': { icon: Video, line: 'Shooting, editing, colour' },
  'audio-professional': { icon: AudioLines, line: 'Recording, mixing, music' },
};

export function getProfileTypeDisplay(slug: string): { icon: LucideIcon; line: string } {
  return PROFILE_TYPE_DISPLAYS[slug] ?? { icon: UserRound, line: '' };
}
