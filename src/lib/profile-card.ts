import type { ProfileCard } from '#contract/records/people.ts';
import type { Profile } from '#contract/records/profile.ts';

/** The fields of an opened profile that lists store and show. */
export function toProfileCard(profile: Profile): ProfileCard {
  const { id, title, stage_name, location, profile_type, profile_photo, slug } = profile;
  return { id: String(id), title, stage_name, location, profile_type, profile_photo, slug };
}
