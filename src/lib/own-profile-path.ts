interface ProfileSlugs {
  slug?: string | null;
  profile_type?: { slug?: string | null } | null;
}

/**
 * Returns the path of one of the user's own profiles. A profile that is not on the server yet has no slug, but all
 * profiles of a user share one. Null if none of them has a slug: link to the home page then.
 */
export function getOwnProfilePath(profile: ProfileSlugs, mine: readonly ProfileSlugs[]): string | null {
  const slug = profile.slug ?? mine.find((each) => each.slug)?.slug;
  const type = profile.profile_type?.slug;
  return slug && type ? `/profile/${slug}/${type}` : null;
}
