import type { ProfileType } from '#contract/records/profile.ts';

/** The kind of a profile in words, also of one that only this device knows yet. */
export function getProfileTypeName(body: { profile_type?: unknown }): string {
  const type = body.profile_type as Partial<ProfileType> | null | undefined;
  return typeof type?.name === 'string' ? type.name : '';
}
