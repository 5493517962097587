'fetched soon after the start';

import { Check, ChevronDown, House, UserRound } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import type { Profile } from '#contract/records/profile.ts';
import { chooseHome, ownProfiles } from '#db/queries.ts';
import { ownAddress } from '#lib/own-address.ts';
import { useAccount } from '#session/session.tsx';
import { tellTrouble } from '#shared/trouble.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { toast } from '#ui/Toast.tsx';

/** Which of one's profiles is open, the way to the others, and the choice of Home. Nothing for somebody with one. */
export function ProfileSwitcher({ profileId }: { profileId: string }) {
  const { db } = useAccount();
  const navigate = useNavigate();
  const mine = useQuery(ownProfiles, []) ?? [];
  const bodies = mine.map(({ body }) => body as Partial<Profile>);
  const at = mine.findIndex(({ id }) => id === profileId);
  if (mine.length < 2 || at < 0) return null;
  const nameOf = (body: Partial<Profile> | undefined) => body?.profile_type?.name ?? 'Profile';
  const others: MenuItem[] = bodies.flatMap((body, index) => {
    // Home comes first, and stands at the plain address.
    const to = index === 0 ? '/' : ownAddress(body, bodies);
    return to ? [{ label: nameOf(body), icon: index === at ? Check : index === 0 ? House : UserRound, to }] : [];
  });
  const makeHome = async () => {
    await chooseHome(db, profileId);
    toast({ text: `${nameOf(bodies[at])} is your Home now`, icon: House });
    await navigate('/', { replace: true });
  };
  const home: MenuItem[] =
    at === 0 ? [] : [{ label: 'Make this my Home', icon: House, onSelect: () => void tellTrouble(makeHome()) }];
  return (
    <Menu
      label={`Your profiles, ${nameOf(bodies[at])} is open`}
      triggerClass="tap -ml-2 gap-1 px-2 text-sm font-semibold text-primary"
      trigger={
        <>
          {at === 0 && <House className="ic size-4" aria-hidden />}
          {nameOf(bodies[at])}
          <ChevronDown className="ic size-4" aria-hidden />
        </>
      }
      items={[...others, ...home]}
    />
  );
}
