interface ProfileSlugs {
  slug?: string | null;
  profile_type?: { slug?: string | null } | null;
}

/**
 * Where one of the person's own profiles stands. One that only this device knows yet has no slug of its own, but all
 * profiles of a person share theirs. Null while none has one: then there is only home.
 */
export function getOwnProfilePath(profile: ProfileSlugs, mine: readonly ProfileSlugs[]): string | null {
  const slug = profile.slug ?? mine.find((each) => each.slug)?.slug;
  const type = profile.profile_type?.slug;
  return slug && type ? `/profile/${slug}/${type}` : null;
}
