import { Bookmark } from 'lucide-react';
import type { Profile } from '#contract/records/profile.ts';
import type { Standing } from '#db/people.ts';
import type { MediaItem } from '#db/queries.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { stateWord } from '#ui/StatePill.tsx';
import { nameOf } from './media-item.ts';
import { mediaCardOf } from './use-saved-media.ts';

interface MediaBookmarkProps {
  item: MediaItem;
  profile: Profile;
  standing: Standing<boolean>;
  className?: string | undefined;
}

/** Marks an item to find it again. It fills at once, with and without signal; only where it is told to readers differs. */
export function MediaBookmark({ item, profile, standing, className = '' }: MediaBookmarkProps) {
  const { engine } = useAccount();
  const where = standing.state === 'saved' ? '' : `, ${stateWord(standing.state).toLowerCase()}`;
  return (
    <button
      type="button"
      aria-label={`Save ${nameOf(item)}${where}`}
      title={`${standing.is ? 'Saved' : 'Save'}${where}`}
      aria-pressed={standing.is}
      className={`tap ${className} ${standing.is ? '[&_.ic]:fill-current' : ''}`}
      onClick={() => void toastOnError(engine.setSaved('saved_media', mediaCardOf(item, profile), !standing.is))}
    >
      <Bookmark className="ic" aria-hidden />
    </button>
  );
}
