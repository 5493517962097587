import type { Profile } from '#contract/records/profile.ts';

/** Where anybody finds a profile; null while only this device knows of it. */
export function addressOfProfile(profile: Profile, origin: string): string | null {
  const { slug, profile_type: type } = profile as Partial<Profile>;
  return slug && type?.slug ? `${origin}/profile/${slug}/${type.slug}` : null;
}

/** 'Pune, plays 24 to 36': the facts of a casting card in one line. */
export function factsLine(location: string | null, ages: string): string {
  if (!ages) return location ?? '';
  return location ? `${location}, plays ${ages}` : `Plays ${ages}`;
}
