import { Pencil } from 'lucide-react';
import type { Profile } from '#contract/records/profile.ts';
import type { Item } from '#db/views.ts';
import { storageWords } from '#ui/storage-words.ts';
import { useAccount } from '#session/session.tsx';
import { StorageTrouble } from '#sync/trouble.ts';
import { Button } from '#ui/Button.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { toast } from '#ui/Toast.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import { NeedsYou } from './NeedsYou.tsx';
import { Portrait } from './Portrait.tsx';
import { Slate } from './Slate.tsx';

interface ProfileHeaderProps {
  item: Item;
  profile: Profile;
  onEdit: () => void;
}

/** Portrait, name, the Active switch and the slate. On a phone the first card, from 768 px the rail. */
export function ProfileHeader({ item, profile, onEdit }: ProfileHeaderProps) {
  const { engine } = useAccount();
  const isActive = profile.status === 'active';
  const handleStatus = (active: boolean) => {
    engine.update('profile', item.id, { status: active ? 'active' : 'inactive' }).catch((error: unknown) => {
      if (error instanceof StorageTrouble) toast({ text: storageWords(error.reason) });
      else reportError(error);
    });
  };
  return (
    <section className="notice overflow-hidden md:sticky md:top-[84px]" aria-label="You">
      <div className="flex flex-wrap gap-4 p-4 md:block md:p-0">
        <Portrait profileId={item.id} name={profile.stage_name} photo={profile.profile_photo} />
        <div className="min-w-0 grow basis-32 md:p-5 md:pb-3">
          <h1 className="text-[1.625rem] leading-[1.15] font-bold break-words md:text-3xl">{profile.stage_name}</h1>
          {profile.title && <p className="mt-0.5 leading-snug text-muted">{profile.title}</p>}
          <div className="mt-2.5">
            <Toggle
              label={
                <>
                  Active
                  <span className="font-normal text-muted">{isActive ? 'public' : 'only you see it'}</span>
                </>
              }
              checked={isActive}
              onChange={handleStatus}
            />
          </div>
          <div className="empty:hidden">
            {item.state === 'needs' ? (
              <NeedsYou item={item} name={profile.stage_name} onFix={onEdit} />
            ) : (
              <StatePill state={item.state} />
            )}
          </div>
        </div>
      </div>
      <div className="px-4 pb-4 md:px-5">
        <Button icon={Pencil} className="w-full" onClick={onEdit}>
          Edit Profile
        </Button>
      </div>
      <Slate profile={profile} onAdd={onEdit} />
    </section>
  );
}
