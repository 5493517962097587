import { ChevronDown } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import type { Profile } from '#contract/records/profile.ts';
import { getProfileTypeName } from '#features/account/profile-type-name.ts';
import { ownProfiles } from '#db/queries.ts';
import { ownAddress } from '#lib/own-address.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { Avatar } from '#ui/Avatar.tsx';

/** The person's own profiles with the address of each, and which of them is on screen: at home stands the newest. */
export function useOwnPages() {
  const { pathname } = useLocation();
  const mine = (useQuery(ownProfiles, []) ?? []).map(({ body }) => body as Partial<Profile>);
  const addresses = mine.map((profile) => ownAddress(profile, mine));
  // So it does for everywhere that is no profile.
  const at = Math.max(0, addresses.indexOf(pathname));
  return { pathname, mine, addresses, at };
}

export type OwnPages = ReturnType<typeof useOwnPages>;

/** The real name, the open profile's kind and picture: what the menu's button shows, and stands there before it. */
export function UserMenuLabel({ pages: { mine, at } }: { pages: OwnPages }) {
  const { user } = useAccount();
  const open = mine[at];
  const photo = open?.profile_photo;
  return (
    <>
      <Avatar name={user.name} src={typeof photo === 'string' ? photo : null} size="size-8 md:size-9" decorative />
      {/* It makes way for the pill: the search beside it keeps the room for its words. */}
      <span className="hidden text-left text-sm leading-tight whitespace-nowrap xl:[header:not(:has(.pill))_&]:block">
        <b className="block max-w-40 truncate font-semibold">{user.name}</b>
        <span className="block max-w-40 truncate text-xs text-muted">{open ? getProfileTypeName(open) : ''}</span>
      </span>
      <ChevronDown className="ic hidden size-4 md:block" aria-hidden />
    </>
  );
}
