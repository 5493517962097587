import { Trash2 } from 'lucide-react';
import type { Profile } from '#contract/records/profile.ts';
import type { MediaItem } from '#db/queries.ts';
import { OfflineButton } from '#shared/offline-media/OfflineButton.tsx';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { IconButton } from '#ui/Button.tsx';
import { Lightbox } from './Lightbox.tsx';
import { deleteMedium } from './media-actions.ts';
import { MediaBookmark } from './MediaBookmark.tsx';
import { getMediaName } from './media-item.ts';
import { useSavedMedia } from './use-saved-media.ts';

interface OwnLightboxProps {
  items: readonly MediaItem[];
  openId: string;
  profile: Profile;
  onClose: () => void;
}

/** The owner's viewer for photos and videos, with bookmark and delete buttons. */
export function OwnLightbox({ profile, onClose, ...shared }: OwnLightboxProps) {
  const { engine } = useAccount();
  const getSaved = useSavedMedia();
  const handleDelete = async (item: MediaItem) => {
    if (await deleteMedium(engine, item)) onClose();
  };
  return (
    <Lightbox
      {...shared}
      onClose={onClose}
      getButtons={(item) => {
        const saved = getSaved(item);
        return (
          <>
            {saved && <MediaBookmark item={item} profile={profile} saved={saved} />}
            <OfflineButton medium={item.body} name={getMediaName(item)} />
            <IconButton
              label={`Delete ${getMediaName(item)}`}
              icon={Trash2}
              onClick={() => void toastOnError(handleDelete(item))}
            />
          </>
        );
      }}
    />
  );
}
