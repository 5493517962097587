import { Bookmark } from 'lucide-react';
import type { ProfileCard } from '#contract/records/people.ts';
import { readSaved } from '#db/saved-and-connected.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { IconButton } from '#ui/Button.tsx';
import { stateWord } from '#ui/StatePill.tsx';

/** The bookmark button. It fills at once, also offline; its label tells screen readers if the change is not sent yet. */
export function SaveButton({ profile, isSavedOnServer }: { profile: ProfileCard; isSavedOnServer: boolean }) {
  const { engine } = useAccount();
  const savedState = useQuery(
    (db) => readSaved(db, 'saved_profile', profile.id, isSavedOnServer),
    [profile.id, isSavedOnServer],
  );
  const isSaved = savedState?.value ?? isSavedOnServer;
  const stateSuffix =
    savedState && savedState.syncState !== 'saved' ? `, ${stateWord(savedState.syncState).toLowerCase()}` : '';
  return (
    <IconButton
      label={`Save ${profile.stage_name}${stateSuffix}`}
      title={`${isSaved ? 'Saved' : 'Save'}${stateSuffix}`}
      icon={Bookmark}
      aria-pressed={isSaved}
      className={`btn btn-tonal btn-square ${isSaved ? '[&>svg]:fill-current' : ''}`}
      onClick={() => void toastOnError(engine.setSaved('saved_profile', profile, !isSaved))}
    />
  );
}
