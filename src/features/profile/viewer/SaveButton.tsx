import { Bookmark } from 'lucide-react';
import type { ProfileCard } from '#contract/records/people.ts';
import { savedStanding } from '#db/people.ts';
import { useAccount } from '#session/session.tsx';
import { tellTrouble } from '#shared/trouble.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { IconButton } from '#ui/Button.tsx';
import { stateWord } from '#ui/StatePill.tsx';

/** The bookmark. It fills at once, with and without signal; only where it is told to readers differs. */
export function SaveButton({ profile, told }: { profile: ProfileCard; told: boolean }) {
  const { engine } = useAccount();
  const standing = useQuery((db) => savedStanding(db, 'saved_profile', profile.id, told), [profile.id, told]);
  const isSaved = standing?.is ?? told;
  const where = standing && standing.state !== 'saved' ? `, ${stateWord(standing.state).toLowerCase()}` : '';
  return (
    <IconButton
      label={`Save ${profile.stage_name}${where}`}
      title={`${isSaved ? 'Saved' : 'Save'}${where}`}
      icon={Bookmark}
      aria-pressed={isSaved}
      className={`btn btn-tonal btn-square ${isSaved ? '[&>svg]:fill-current' : ''}`}
      onClick={() => void tellTrouble(engine.setSaved('saved_profile', profile, !isSaved))}
    />
  );
}
