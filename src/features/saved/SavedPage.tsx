import { Bookmark, BookmarkX } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link } from '#ui/router.tsx';
import type { ProfileCard } from '#contract/records/people.ts';
import { isPulled } from '#db/first-pull.ts';
import type { SavedItem } from '#db/saved-and-connected.ts';
import { FirstPull } from '#shared/FirstPull.tsx';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { toastOnError } from '#shared/error-text.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { IconButton } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { findNextRow } from '#ui/pass-focus.ts';
import { usePageTitle } from '#ui/page-title.ts';
import { StatePill } from '#ui/StatePill.tsx';
import { toast } from '#ui/Toast.tsx';
import { SavedMediaCard } from './SavedMediaCard.tsx';
import { listSavedMedia, listSavedProfiles } from './saved-lists.ts';

/** The profiles and media that the person saved, read from this device so that they are the same offline. */
export function SavedPage() {
  usePageTitle('Saved');
  const profiles = useQuery(listSavedProfiles, []);
  const media = useQuery(listSavedMedia, []);
  const isFirstPullDone = useQuery(isPulled, []);
  if (!profiles || !media || isFirstPullDone === undefined) return null;
  if (profiles.length + media.length === 0 && !isFirstPullDone) return <FirstPull label="Loading what you saved" />;
  return (
    <div className="mx-auto max-w-[672px] px-3 pt-1 pb-6 md:pt-6">
      {profiles.length + media.length === 0 ? (
        <ErrorPage
          icon={Bookmark}
          title="Nothing saved yet"
          text="Tap the bookmark on someone’s profile or media to find it here, even without signal."
        />
      ) : (
        <div className="space-y-3">
          <h1 className="sr-only">Saved</h1>
          {profiles.length > 0 && (
            <Card title="Saved profiles" count={profiles.length}>
              <ul>
                {profiles.map((item) => (
                  <SavedRow key={item.card.id} item={item} />
                ))}
              </ul>
            </Card>
          )}
          <SavedMediaCard items={media} />
        </div>
      )}
    </div>
  );
}

function SavedRow({ item: { card: profile, syncState: state } }: { item: SavedItem<ProfileCard> }) {
  const { engine } = useAccount();
  const setSaved = (saved: boolean) => engine.setSaved('saved_profile', profile, saved);
  const remove = async (button: Element) => {
    const passFocus = findNextRow(button);
    await setSaved(false);
    passFocus();
    toast({
      text: `${profile.stage_name} removed from Saved`,
      icon: BookmarkX,
      action: { label: 'Undo', onSelect: () => void toastOnError(setSaved(true)) },
    });
  };
  const handleRemove = (event: MouseEvent) => void toastOnError(remove(event.currentTarget));
  const facts = [profile.title, profile.location].filter(Boolean).join(', ');
  return (
    <li className="flex items-center gap-2 border-t border-base-300 py-2 first:border-t-0">
      <Link
        to={`/profile/${profile.slug}/${profile.profile_type.slug}`}
        className="flex min-h-14 min-w-0 grow items-center gap-3 rounded-field"
      >
        <Avatar name={profile.stage_name} src={profile.profile_photo} size="size-12" decorative />
        <span className="min-w-0 grow leading-snug">
          <span className="block font-semibold break-words">{profile.stage_name}</span>
          <span className="block text-sm break-words text-muted">{facts || profile.profile_type.name}</span>
          <span className="mt-1 block empty:hidden">
            <StatePill state={state} />
          </span>
        </span>
      </Link>
      <IconButton
        label={`Remove ${profile.stage_name} from Saved`}
        icon={Bookmark}
        className="text-primary [&>svg]:fill-current"
        onClick={handleRemove}
      />
    </li>
  );
}
