'fetched soon after the start';

import {
  Bookmark,
  ChartColumn,
  Check,
  Clapperboard,
  Download,
  LogOut,
  Pencil,
  Plus,
  Scale,
  Settings,
  UserRound,
  Users,
} from 'lucide-react';
import { useSignOut } from '#features/account/use-sign-out.ts';
import { useFreshUser } from '#features/account/use-fresh-user.ts';
import { getProfileTypeName } from '#features/account/profile-type-name.ts';
import { useInstall } from '#features/install/use-install.ts';
import { useAccount } from '#session/session.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { UserMenuLabel, type OwnPages } from './UserMenuLabel.tsx';

/** The menu behind the person's picture: their profiles, settings and sign-out. */
export function UserMenu({ pages }: { pages: OwnPages }) {
  const { user } = useAccount();
  const { pathname, profiles, addresses, currentIndex } = pages;
  const { isOffered, install } = useInstall();
  const signOut = useSignOut();
  // At each start: there may be something to ask the person, such as to agree to a new version of the terms.
  useFreshUser();
  const others: MenuItem[] = profiles.flatMap((profile, index) => {
    const to = addresses[index];
    return profiles.length > 1 && to
      ? [{ label: getProfileTypeName(profile), icon: index === currentIndex ? Check : UserRound, to }]
      : [];
  });

  const items: MenuItem[] = [
    ...others,
    ...(profiles[currentIndex]
      ? [
          {
            label: 'Edit Profile',
            icon: Pencil,
            to: `${addresses[currentIndex] === pathname ? pathname : '/'}?edit=profile`,
          },
        ]
      : []),
    { label: 'New Profile', icon: Plus, to: '/profile/step/1' },
    { label: 'Saved', icon: Bookmark, to: '/saved' },
    { label: 'Auditions', icon: Clapperboard, to: '/auditions' },
    { label: 'Casting', icon: Users, to: '/casting' },
    { label: 'Industry Insights', icon: ChartColumn, to: '/insights' },
    ...(user.role && user.role !== 'person' ? [{ label: 'Desk', icon: Scale, to: '/desk' }] : []),
    { label: 'Settings', icon: Settings, to: '/settings' },
    ...(isOffered ? [{ label: 'Install App', icon: Download, onSelect: install }] : []),
    { label: 'Sign Out', icon: LogOut, onSelect: () => void signOut() },
  ];
  return (
    <Menu
      label={`${user.name}, your menu`}
      triggerClass="tap shrink-0 gap-2 md:pl-2"
      trigger={<UserMenuLabel pages={pages} />}
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
