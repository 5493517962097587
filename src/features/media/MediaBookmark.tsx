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
  saved: Pending<boolean>;
  className?: string | undefined;
}

/** Marks an item to find it again. It fills at once, with and without signal; only where it is told to readers differs. */
export function MediaBookmark({ item, profile, saved, className = '' }: MediaBookmarkProps) {
  const { engine } = useAccount();
  const where = saved.syncState === 'saved' ? '' : `, ${stateWord(saved.syncState).toLowerCase()}`;
  return (
    <button
      type="button"
      aria-label={`Save ${getMediaName(item)}${where}`}
      title={`${saved.value ? 'Saved' : 'Save'}${where}`}
      aria-pressed={saved.value}
      className={`tap ${className} ${saved.value ? '[&_.ic]:fill-current' : ''}`}
      onClick={() => void toastOnError(engine.setSaved('saved_media', toMediaCard(item, profile), !saved.value))}
    >
      <Bookmark className="ic" aria-hidden />
    </button>
  );
}
