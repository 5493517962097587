import type { Profile } from '#contract/records/profile.ts';

/** Returns the public URL of a profile; null while the profile exists only on this device. */
export function getProfileUrl(profile: Profile, origin: string): string | null {
  const { slug, profile_type: type } = profile as Partial<Profile>;
  return slug && type?.slug ? `${origin}/profile/${slug}/${type.slug}` : null;
}

/** Formats the facts of a casting card in one line: 'Pune, plays 24 to 36'. */
export function formatFacts(location: string | null, ages: string): string {
  if (!ages) return location ?? '';
  return location ? `${location}, plays ${ages}` : `Plays ${ages}`;
}
