import { X } from 'lucide-react';
import { IconButton } from '#ui/Button.tsx';
import { LocalImage } from '#ui/LocalImage.tsx';
import { deviceWord } from '#ui/device.ts';
import type { MediaFile } from '#db/rows.ts';

interface DraftPhotoProps {
  /** Undefined while the photo is being stored. */
  photo: MediaFile | undefined;
  onRemove: () => void;
}

/** The photo of the next message, above the message field. */
export function DraftPhoto({ photo, onRemove }: DraftPhotoProps) {
  return (
    <div className="flex items-center gap-3 px-2 pb-2">
      <div className="relative size-16 shrink-0 overflow-hidden rounded-xl bg-base-300">
        {photo?.thumb && <LocalImage id={photo.id} bytes={photo.thumb} alt="" className="size-full object-cover" />}
      </div>
      <p className="min-w-0 grow text-sm text-muted" role="status">
        {photo ? `Photo, safe on this ${deviceWord()}` : `Storing on this ${deviceWord()}`}
      </p>
      {photo && <IconButton label="Remove photo" icon={X} onClick={onRemove} />}
    </div>
  );
}
