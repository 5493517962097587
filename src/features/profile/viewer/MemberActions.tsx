import { MessageCircle } from 'lucide-react';
import { Suspense } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Profile } from '#contract/records/profile.ts';
import { addressOf } from '#db/visited.ts';
import { bondWith } from '#db/people.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { IconButton } from '#ui/Button.tsx';
import { late } from '#ui/late.ts';
import { ShareButton } from '../share/ShareButton.tsx';
import { ConnectButton } from './ConnectButton.tsx';
import { cardOf } from '#lib/profile-card.ts';
import { KeepToggle } from './KeepToggle.tsx';
import { SaveButton } from './SaveButton.tsx';

const PersonMenu = late(async () => (await import('#shared/people/PersonMenu.tsx')).PersonMenu);

/** What a signed-in person can do on somebody's page. Nobody saves, messages or connects to themselves. */
export function MemberActions({ profile }: { profile: Profile }) {
  const { user } = useAccount();
  const navigate = useNavigate();
  const userId = String(profile.user_id);
  const bond = useQuery((db) => bondWith(db, userId, profile.connection), [userId, profile.connection]);
  if (userId === user.id || !bond) return null;
  const canWrite = bond.is === 'connected' && bond.state === 'saved';
  return (
    <>
      <ConnectButton profile={profile} bond={bond} />
      <IconButton
        label={`Message ${profile.stage_name}`}
        title={canWrite ? 'Message' : 'You can message each other once you’re connected'}
        icon={MessageCircle}
        className={`btn btn-tonal btn-square ${canWrite ? '' : 'pointer-events-auto !cursor-default'}`}
        aria-disabled={!canWrite}
        onClick={canWrite ? () => void navigate(`/messages/${bond.conversationId ?? ''}`) : undefined}
      />
      <SaveButton profile={cardOf(profile)} told={profile.is_saved === 1} />
      <ShareButton profile={profile}>
        <KeepToggle address={addressOf(profile.slug, profile.profile_type.slug)} />
      </ShareButton>
      <Suspense fallback={<span className="size-11" />}>
        <PersonMenu
          whom={{ userId, name: profile.stage_name }}
          tie={bond}
          triggerClass="btn btn-tonal btn-square"
          onBlocked={() => void navigate('/connections')}
        />
      </Suspense>
    </>
  );
}
