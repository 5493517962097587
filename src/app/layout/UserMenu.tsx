import { ChartColumn, ChevronDown, Download, LogOut, Pencil, Plus, Settings } from 'lucide-react';
import { useSignOut } from '#features/account/use-sign-out.ts';
import { typeNameOf } from '#features/account/type-name.ts';
import { useInstall } from '#features/install/use-install.ts';
import { ownProfiles } from '#db/queries.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#session/use-query.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';

/** The real name, the newest profile's kind and picture; e-mail and everything else in the menu. */
export function UserMenu() {
  const { user } = useAccount();
  const newest = useQuery(ownProfiles, [])?.[0];
  const { isOffered, install } = useInstall();
  const signOut = useSignOut();
  const photo = newest?.body['profile_photo'];
  const caption = newest ? typeNameOf(newest.body) : '';

  const items: MenuItem[] = [
    ...(newest ? [{ label: 'Edit Profile', icon: Pencil, to: '/?edit=profile' }] : []),
    { label: 'New Profile', icon: Plus, to: '/profile/step/1' },
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
