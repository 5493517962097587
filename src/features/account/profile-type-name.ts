import type { ProfileType } from '#contract/records/profile.ts';

/** Returns the name of a profile's type, also for a profile that has not been sent yet; '' if it has none. */
export function getProfileTypeName(body: { profile_type?: unknown }): string {
  const type = body.profile_type as Partial<ProfileType> | null | undefined;
  return typeof type?.name === 'string' ? type.name : '';
}
