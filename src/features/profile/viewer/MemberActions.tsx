import { CalendarDays, MessageCircle } from 'lucide-react';
import { useNavigate } from '#ui/router.tsx';
import type { Profile } from '#contract/records/profile.ts';
import { getAddress } from '#db/cached-pages.ts';
import type { PerformerCard } from '#db/casting.ts';
import { readConnectionState } from '#db/saved-and-connected.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { IconButton } from '#ui/Button.tsx';
import { lazyOptional, lazyPart } from '#ui/lazy-part.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { ShareButton } from '../share/ShareButton.tsx';
import { ConnectButton } from './ConnectButton.tsx';
import { toProfileCard } from '#lib/profile-card.ts';
import { PinPageToggle } from './PinPageToggle.tsx';
import { SaveButton } from './SaveButton.tsx';

const toPerformerCard = ({ id, user_id, stage_name: name, title, profile_photo }: Profile): PerformerCard => ({
  profile_id: String(id),
  user_id: String(user_id),
  name,
  title,
  profile_photo,
});

const PersonMenu = lazyOptional(
  async () => (await import('#shared/people/PersonMenu.tsx')).PersonMenu,
  () => <span className="size-11" />,
);

const SeenDaysSheet = lazyPart(async () => (await import('#shared/availability/SeenDaysSheet.tsx')).SeenDaysSheet);

/** The actions of a signed-in person on somebody else's page. Renders nothing on the person's own profile. */
export function MemberActions({ profile }: { profile: Profile }) {
  const { user } = useAccount();
  const navigate = useNavigate();
  const days = useSheetParam('days');
  const userId = String(profile.user_id);
  const connection = useQuery(
    (db) => readConnectionState(db, userId, profile.connection),
    [userId, profile.connection],
  );
  if (userId === user.id || !connection) return null;
  const canMessage = connection.value === 'connected' && connection.syncState === 'saved';
  return (
    <>
      <ConnectButton profile={profile} connection={connection} />
      <IconButton
        label={`Message ${profile.stage_name}`}
        title={canMessage ? 'Message' : 'You can message each other once you’re connected'}
        icon={MessageCircle}
        className={`btn btn-tonal btn-square ${canMessage ? '' : 'pointer-events-auto !cursor-default'}`}
        aria-disabled={!canMessage}
        onClick={canMessage ? () => navigate(`/messages/${connection.conversationId ?? ''}`) : undefined}
      />
      <SaveButton profile={toProfileCard(profile)} isSavedOnServer={profile.is_saved === 1} />
      <ShareButton profile={profile}>
        <PinPageToggle address={getAddress(profile.slug, profile.profile_type.slug)} />
      </ShareButton>
      <PersonMenu
        person={{ userId, name: profile.stage_name }}
        connection={connection}
        triggerClass="btn btn-tonal btn-square"
        about={{ type: 'profile', id: String(profile.id), name: profile.stage_name }}
        before={canMessage ? [{ label: 'Availability', icon: CalendarDays, onSelect: () => days.open() }] : undefined}
        performer={toPerformerCard(profile)}
        onBlocked={() => navigate('/connections')}
      />
      {days.isOpen && <SeenDaysSheet profileId={String(profile.id)} name={profile.stage_name} onClose={days.close} />}
    </>
  );
}
