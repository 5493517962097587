import { ChevronDown, ChevronUp, Image as ImageIcon } from 'lucide-react';
import { useState } from 'react';
import { LocalImage } from '#ui/LocalImage.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { nameOf, type Photo } from './photo.ts';

interface PhotoGridProps {
  photos: readonly Photo[];
  /** On a page of its own: all of them, six in a row where there is room. */
  isPage?: boolean;
  /** Across the whole width of a profile: four in a row. */
  isWide?: boolean;
  onOpen: (id: string) => void;
}

const FEW = 6;
const FEW_WIDE = 8;
const FILL = 'absolute inset-0 size-full object-cover';

/** 4:5 tiles; on a card the first six and a button for the rest. */
export function PhotoGrid({ photos, isPage = false, isWide = false, onOpen }: PhotoGridProps) {
  const [isOpen, setOpen] = useState(false);
  const few = isWide ? FEW_WIDE : FEW;
  return (
    <>
      <ul className={`grid gap-1.5 ${isWide ? 'grid-cols-4' : 'grid-cols-3'} ${isPage ? 'md:grid-cols-6' : ''}`}>
        {(isPage || isOpen ? photos : photos.slice(0, few)).map((photo) => (
          <li key={photo.key}>
            <PhotoTile photo={photo} onOpen={() => onOpen(photo.id)} />
          </li>
        ))}
      </ul>
      {!isPage && photos.length > few && (
        <button
          type="button"
          className="mt-1 inline-flex min-h-11 items-center gap-1 rounded-lg text-sm font-semibold text-primary"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show fewer' : `Show all ${photos.length}`}
          {isOpen ? <ChevronUp className="size-4" aria-hidden /> : <ChevronDown className="size-4" aria-hidden />}
        </button>
      )}
    </>
  );
}

function PhotoTile({ photo, onOpen }: { photo: Photo; onOpen: () => void }) {
  const { file } = photo;
  const stored = photo.body.thumb_path ?? photo.body.path;
  return (
    <button
      type="button"
      className="relative block aspect-[4/5] w-full overflow-hidden rounded-xl bg-base-300"
      onClick={onOpen}
    >
      <ImageIcon className="absolute inset-0 m-auto size-6 text-muted" aria-hidden />
      {file?.thumb ? (
        <LocalImage id={file.id} bytes={file.thumb} alt={nameOf(photo)} className={FILL} />
      ) : typeof stored === 'string' ? (
        <RemoteImage
          src={stored}
          alt={nameOf(photo)}
          className={FILL}
          loading="lazy"
          fallback={<span className="sr-only">{nameOf(photo)}</span>}
        />
      ) : (
        <span className="sr-only">{nameOf(photo)}</span>
      )}
      <span className="absolute inset-x-0.5 bottom-1.5 flex justify-start [&_.state]:gap-0.5 [&_.state]:rounded-xl [&_.state]:px-1.5 [&_.state]:text-start [&_.state]:text-[0.6875rem] [&_.state]:leading-tight [&_.state]:whitespace-normal">
        <StatePill state={photo.state} />
      </span>
      {photo.state === 'sending' && file && (
        <span className="absolute inset-x-0 bottom-0">
          <ProgressBar label={nameOf(photo)} done={file.offset} of={file.size} overPicture />
        </span>
      )}
    </button>
  );
}
