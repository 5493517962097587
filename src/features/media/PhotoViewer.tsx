import { ChevronLeft, ChevronRight, Trash2, X } from 'lucide-react';
import { useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import { IconButton } from '#ui/Button.tsx';
import { LocalImage } from '#ui/LocalImage.tsx';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { nameOf, type Photo } from './photo.ts';

export interface PhotoViewerProps {
  photos: readonly Photo[];
  /** The photo it opens with. */
  openId: string;
  /** Their owner may; nobody else gets the button. */
  onDelete?: (photo: Photo) => void;
  onClose: () => void;
}

const SWIPE_PX = 48;

/** One photo on black. Arrows, swipe and buttons move, Esc closes; the focus goes back to the tile. */
export function PhotoViewer({ photos, openId, onDelete, onClose }: PhotoViewerProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const swipeFrom = useRef<number | null>(null);
  // Kept here, not in the address: Back leaves the viewer instead of walking through every photo seen.
  const [currentId, setCurrentId] = useState(openId);
  const at = photos.findIndex((each) => each.id === currentId);
  const photo = photos[at];
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);

  const go = (step: number) => {
    const next = photos[at + step];
    if (next) setCurrentId(next.id);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.key === 'ArrowRight') go(1);
    else if (event.key === 'ArrowLeft') go(-1);
  };
  const look = 'max-h-full max-w-full object-contain';
  return (
    <dialog
      ref={dialog}
      className="m-0 size-full max-h-none max-w-none bg-black p-0 text-white"
      aria-label={photo ? `Photo ${at + 1} of ${photos.length}: ${nameOf(photo)}` : 'Photo'}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={handleKey}
      onPointerDown={(event) => {
        swipeFrom.current = event.clientX;
      }}
      onPointerUp={(event) => {
        const from = swipeFrom.current;
        swipeFrom.current = null;
        if (from === null || Math.abs(event.clientX - from) < SWIPE_PX) return;
        go(event.clientX < from ? 1 : -1);
      }}
    >
      <div className="flex size-full flex-col [--color-primary:#fff]">
        <div className="flex items-center gap-1 p-1.5 pt-[max(0.375rem,env(safe-area-inset-top))]">
          <p className="grow truncate px-2.5 font-semibold">{photo ? nameOf(photo) : 'This photo is gone'}</p>
          {photo?.state === 'needs' ? (
            <Link to="/waiting" className="tap" aria-label={`${nameOf(photo)} needs you`}>
              <StatePill state="needs" />
            </Link>
          ) : (
            photo && <StatePill state={photo.state} />
          )}
          {photo && onDelete && (
            <IconButton label={`Delete ${nameOf(photo)}`} icon={Trash2} onClick={() => onDelete(photo)} />
          )}
          <IconButton label="Close photo" icon={X} onClick={onClose} />
        </div>
        <div className="relative grid min-h-0 grow touch-pan-y place-items-center select-none">
          {photo && typeof photo.body.path === 'string' ? (
            <RemoteImage
              key={photo.key}
              src={photo.body.path}
              alt={nameOf(photo)}
              className={look}
              fallback={<p className="px-6 text-center">This photo needs signal to be seen here in full.</p>}
            />
          ) : (
            photo?.file?.thumb && (
              <LocalImage
                key={photo.key}
                id={photo.file.id}
                bytes={photo.file.thumb}
                alt={nameOf(photo)}
                className={`${look} size-full`}
              />
            )
          )}
          {at > 0 && (
            <IconButton
              label="Photo before"
              icon={ChevronLeft}
              className="absolute left-1 rounded-full bg-black/60"
              onClick={() => go(-1)}
            />
          )}
          {at >= 0 && at < photos.length - 1 && (
            <IconButton
              label="Next photo"
              icon={ChevronRight}
              className="absolute right-1 rounded-full bg-black/60"
              onClick={() => go(1)}
            />
          )}
        </div>
        <p className="num pt-1 pb-[max(0.75rem,env(safe-area-inset-bottom))] text-center text-sm text-white/80">
          {at + 1} of {photos.length}
        </p>
      </div>
    </dialog>
  );
}
