import { Pencil } from 'lucide-react';
import type { RefObject } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import type { Item } from '#db/views.ts';
import { isLong } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { Button } from '#ui/Button.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { lazyOptional } from '#ui/lazy-part.ts';
import { useAfterPaint } from '#ui/use-after-paint.ts';
import { toEditorParam } from './editor.ts';
import { NeedsAttentionPill } from './NeedsAttentionPill.tsx';
import { Portrait } from './Portrait.tsx';
import { ShareButton } from './share/ShareButton.tsx';
import { ProfileFacts } from './ProfileFacts.tsx';
import { StatusToggle } from './StatusToggle.tsx';
import type { Sections } from './use-own-profile.ts';

const ProfileSwitcher = lazyOptional(async () => (await import('./ProfileSwitcher.tsx')).ProfileSwitcher);

interface ProfileHeaderProps {
  item: Item;
  profile: Profile;
  sections: Sections;
  isLoaded: boolean;
  /** The file input of the portrait, so that other components can open it. */
  picker: RefObject<HTMLInputElement | null>;
  /** Receives the value of `?edit=`. */
  onEdit: (editor: string) => void;
}

/** Portrait, name, the Active switch and the facts. The first card on a phone, a side column from 768 px. */
export function ProfileHeader({ item, profile, sections, isLoaded, picker, onEdit }: ProfileHeaderProps) {
  const { engine } = useAccount();
  const isPainted = useAfterPaint();
  const editFacts = () => onEdit(toEditorParam('profile', item.id));
  const handleStatus = (active: boolean) => {
    engine.update('profile', item.id, { status: active ? 'active' : 'inactive' }).catch(async (error: Error) => {
      await (await import('#shared/error-text.ts')).toastOnError(Promise.reject(error));
    });
  };
  return (
    <section className="notice overflow-hidden md:sticky md:top-[84px]" aria-label="You">
      <div className="flex flex-wrap gap-4 p-4 md:block md:p-0">
        <Portrait profileId={item.id} picker={picker} name={profile.stage_name} photo={profile.profile_photo} />
        <div className="min-w-0 grow basis-32 md:p-5 md:pb-3">
          <h1
            className={`leading-[1.15] font-bold break-words ${isLong(profile.stage_name) ? 'text-xl' : 'text-[1.625rem] md:text-3xl'}`}
          >
            {profile.stage_name}
          </h1>
          {profile.title && <p className="mt-0.5 leading-snug break-words text-muted">{profile.title}</p>}
          {isPainted && <ProfileSwitcher profileId={item.id} />}
          <div className="mt-2.5">
            <StatusToggle
              isActive={profile.status === 'active'}
              isWithheld={item.serverId === null || profile.is_withheld}
              onChange={handleStatus}
            />
          </div>
          <div className="empty:hidden">
            {item.state === 'needs' ? (
              <NeedsAttentionPill item={item} name={profile.stage_name} onFix={editFacts} />
            ) : (
              <StatePill state={item.state} />
            )}
          </div>
        </div>
      </div>
      <div className="flex flex-wrap gap-2 px-4 pb-4 md:px-5">
        <Button icon={Pencil} className="grow" onClick={editFacts}>
          Edit Profile
        </Button>
        {profile.slug && <ShareButton profile={profile} isOwner />}
      </div>
      <ProfileFacts {...{ item, profile, sections, isLoaded, onEdit }} />
    </section>
  );
}
