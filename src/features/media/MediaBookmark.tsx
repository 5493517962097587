import { Bookmark } from 'lucide-react';
import type { Profile } from '#contract/records/profile.ts';
import type { Pending } from '#db/saved-and-connected.ts';
import type { MediaItem } from '#db/queries.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { stateWord } from '#ui/StatePill.tsx';
import { getMediaName } from './media-item.ts';
import { toMediaCard } from './use-saved-media.ts';

interface MediaBookmarkProps {
  item: MediaItem;
  profile: Profile;
  standing: Pending<boolean>;
  className?: string | undefined;
}

/** Marks an item to find it again. It fills at once, with and without signal; only where it is told to readers differs. */
export function MediaBookmark({ item, profile, standing, className = '' }: MediaBookmarkProps) {
  const { engine } = useAccount();
  const where = standing.syncState === 'saved' ? '' : `, ${stateWord(standing.syncState).toLowerCase()}`;
  return (
    <button
      type="button"
      aria-label={`Save ${getMediaName(item)}${where}`}
      title={`${standing.value ? 'Saved' : 'Save'}${where}`}
      aria-pressed={standing.value}
      className={`tap ${className} ${standing.value ? '[&_.ic]:fill-current' : ''}`}
      onClick={() => void toastOnError(engine.setSaved('saved_media', toMediaCard(item, profile), !standing.value))}
    >
      <Bookmark className="ic" aria-hidden />
    </button>
  );
}
