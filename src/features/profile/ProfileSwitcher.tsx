'fetched soon after the start';

import { Check, ChevronDown, House, UserRound } from 'lucide-react';
import { useNavigate } from '#ui/router.tsx';
import type { Profile } from '#contract/records/profile.ts';
import { ownProfiles } from '#db/queries.ts';
import { chooseHome } from '#db/single-items.ts';
import { getOwnProfilePath } from '#lib/own-profile-path.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { toast } from '#ui/Toast.tsx';

/** A menu of the person's profiles, with the choice of the Home profile. Renders nothing for a person with one profile. */
export function ProfileSwitcher({ profileId }: { profileId: string }) {
  const { db } = useAccount();
  const navigate = useNavigate();
  const profiles = useQuery(ownProfiles, []) ?? [];
  const bodies = profiles.map(({ body }) => body as Partial<Profile>);
  const currentIndex = profiles.findIndex(({ id }) => id === profileId);
  if (profiles.length < 2 || currentIndex < 0) return null;
  const getTypeName = (body: Partial<Profile> | undefined) => body?.profile_type?.name ?? 'Profile';
  const others: MenuItem[] = bodies.flatMap((body, index) => {
    // The Home profile is first and has the address '/'.
    const to = index === 0 ? '/' : getOwnProfilePath(body, bodies);
    return to
      ? [{ label: getTypeName(body), icon: index === currentIndex ? Check : index === 0 ? House : UserRound, to }]
      : [];
  });
  const makeHome = async () => {
    await chooseHome(db, profileId);
    toast({ text: `${getTypeName(bodies[currentIndex])} is your Home now`, icon: House });
    navigate('/', { replace: true });
  };
  const home: MenuItem[] =
    currentIndex === 0
      ? []
      : [{ label: 'Make this my Home', icon: House, onSelect: () => void toastOnError(makeHome()) }];
  return (
    <Menu
      label={`Your profiles, ${getTypeName(bodies[currentIndex])} is open`}
      triggerClass="tap -ml-2 gap-1 px-2 text-sm font-semibold text-primary"
      trigger={
        <>
          {currentIndex === 0 && <House className="ic size-4" aria-hidden />}
          {getTypeName(bodies[currentIndex])}
          <ChevronDown className="ic size-4" aria-hidden />
        </>
      }
      items={[...others, ...home]}
    />
  );
}
