import { ChevronDown } from 'lucide-react';
import { useLocation } from '#ui/router.tsx';
import type { Profile } from '#contract/records/profile.ts';
import { getProfileTypeName } from '#features/account/profile-type-name.ts';
import { ownProfiles } from '#db/queries.ts';
import { getOwnProfilePath } from '#lib/own-profile-path.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { Avatar } from '#ui/Avatar.tsx';

/** Returns the person's own profiles, the address of each, and the index of the one on screen (0, Home, on all other pages). */
export function useOwnPages() {
  const { pathname } = useLocation();
  const profiles = (useQuery(ownProfiles, []) ?? []).map(({ body }) => body as Partial<Profile>);
  const addresses = profiles.map((profile) => getOwnProfilePath(profile, profiles));
  // On every page other than a profile, the Home profile counts as current.
  const currentIndex = Math.max(0, addresses.indexOf(pathname));
  return { pathname, profiles, addresses, currentIndex };
}

export type OwnPages = ReturnType<typeof useOwnPages>;

/** The content of the user menu's button: real name, type and picture of the current profile. Also its placeholder. */
export function UserMenuLabel({ pages: { profiles, currentIndex } }: { pages: OwnPages }) {
  const { user } = useAccount();
  const open = profiles[currentIndex];
  const photo = open?.profile_photo;
  return (
    <>
      <Avatar name={user.name} src={typeof photo === 'string' ? photo : null} size="size-8 md:size-9" decorative />
      {/* Hidden when the pill is shown, to leave enough space for the search field. */}
      <span className="hidden text-left text-sm leading-tight whitespace-nowrap xl:[header:not(:has(.pill))_&]:block">
        <b className="block max-w-40 truncate font-semibold">{user.name}</b>
        <span className="block max-w-40 truncate text-xs text-muted">{open ? getProfileTypeName(open) : ''}</span>
      </span>
      <ChevronDown className="ic hidden size-4 md:block" aria-hidden />
    </>
  );
}
