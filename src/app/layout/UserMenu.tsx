import {
  Bookmark,
  ChartColumn,
  Check,
  ChevronDown,
  Download,
  LogOut,
  Pencil,
  Plus,
  Settings,
  UserRound,
} from 'lucide-react';
import { useLocation } from 'react-router-dom';
import type { Profile } from '#contract/records/profile.ts';
import { useSignOut } from '#features/account/use-sign-out.ts';
import { typeNameOf } from '#features/account/type-name.ts';
import { useInstall } from '#features/install/use-install.ts';
import { ownProfiles } from '#db/queries.ts';
import { ownAddress } from '#lib/own-address.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#session/use-query.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';

/** The real name, the open profile's kind and picture; one's other profiles, e-mail and everything else in the menu. */
export function UserMenu() {
  const { user } = useAccount();
  const { pathname } = useLocation();
  const mine = (useQuery(ownProfiles, []) ?? []).map(({ body }) => body as Partial<Profile>);
  const addresses = mine.map((profile) => ownAddress(profile, mine));
  // At home stands the newest, and so it does for everywhere that is no profile.
  const at = Math.max(0, addresses.indexOf(pathname));
  const open = mine[at];
  const { isOffered, install } = useInstall();
  const signOut = useSignOut();
  const photo = open?.profile_photo;
  const caption = open ? typeNameOf(open) : '';
  const others: MenuItem[] = mine.flatMap((profile, index) => {
    const to = addresses[index];
    return mine.length > 1 && to ? [{ label: typeNameOf(profile), icon: index === at ? Check : UserRound, to }] : [];
  });

  const items: MenuItem[] = [
    ...others,
    ...(open
      ? [{ label: 'Edit Profile', icon: Pencil, to: `${addresses[at] === pathname ? pathname : '/'}?edit=profile` }]
      : []),
    { label: 'New Profile', icon: Plus, to: '/profile/step/1' },
    { label: 'Saved', icon: Bookmark, to: '/saved' },
    { label: 'Industry Insights', icon: ChartColumn, to: '/insights' },
    { label: 'Settings', icon: Settings, to: '/settings' },
    ...(isOffered ? [{ label: 'Install App', icon: Download, onSelect: install }] : []),
    { label: 'Sign Out', icon: LogOut, onSelect: () => void signOut() },
  ];
  return (
    <Menu
      label={`${user.name}, your menu`}
      triggerClass="tap shrink-0 gap-2 md:pl-2"
      trigger={
        <>
          <Avatar name={user.name} src={typeof photo === 'string' ? photo : null} size="size-8 md:size-9" decorative />
          <span className="hidden text-left text-sm leading-tight whitespace-nowrap xl:block">
            <b className="block max-w-40 truncate font-semibold">{user.name}</b>
            <span className="block max-w-40 truncate text-xs text-muted">{caption}</span>
          </span>
          <ChevronDown className="ic hidden size-4 md:block" aria-hidden />
        </>
      }
      head={
        <div className="border-b border-base-300 px-3 pt-1.5 pb-2.5 leading-snug">
          <div className="font-semibold">{user.name}</div>
          <div className="text-sm break-all text-muted">{user.email}</div>
        </div>
      }
      items={items}
    />
  );
}
