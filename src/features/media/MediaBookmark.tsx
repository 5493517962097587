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

/**
 * Saves or unsaves a medium. The icon changes at once, also offline; the label for screen readers includes the sync
 * state.
 */
export function MediaBookmark({ item, profile, saved, className = '' }: MediaBookmarkProps) {
  const { engine } = useAccount();
  const suffix = saved.syncState === 'saved' ? '' : `, ${stateWord(saved.syncState).toLowerCase()}`;
  return (
    <button
      type="button"
      aria-label={`Save ${getMediaName(item)}${suffix}`}
      title={`${saved.value ? 'Saved' : 'Save'}${suffix}`}
      aria-pressed={saved.value}
      className={`tap ${className} ${saved.value ? '[&_.ic]:fill-current' : ''}`}
      onClick={() => void toastOnError(engine.setSaved('saved_media', toMediaCard(item, profile), !saved.value))}
    >
      <Bookmark className="ic" aria-hidden />
    </button>
  );
}
