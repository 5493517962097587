import type { LucideIcon } from 'lucide-react';
import { EyeOff, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { LocalImage } from '#ui/LocalImage.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { SmallMark } from '#ui/SmallMark.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { addressOf, nameOf } from './media-item.ts';
import { ResponsiveImage } from './ResponsiveImage.tsx';

interface TileProps {
  item: MediaItem;
  /** Stands where there is no picture. */
  icon: LucideIcon;
  className: string;
  /** How wide it is shown, as in `<img sizes>`. */
  sizes: string;
  /** Too far from the screen to be drawn; it has its place and its name. */
  isFar?: boolean;
  /** Bottom left, before the state: the length. */
  pill?: ReactNode;
  onOpen: () => void;
}

const FILL = 'absolute inset-0 size-full object-cover';

/** A picture that opens: a photo, or what a video shows of itself. */
export function Tile({ item, icon, className, sizes, isFar = false, pill, onOpen }: TileProps) {
  return (
    <button
      type="button"
      data-media={item.id}
      className={`block w-full cursor-pointer rounded-xl bg-base-300 ${isFar ? '' : 'relative overflow-hidden'} ${className}`}
      aria-label={isFar ? nameOf(item) : undefined}
      onClick={onOpen}
    >
      {!isFar && <Drawn item={item} icon={icon} sizes={sizes} pill={pill} />}
    </button>
  );
}

function Drawn({ item, icon: Icon, sizes, pill }: Pick<TileProps, 'item' | 'icon' | 'sizes' | 'pill'>) {
  const { file } = item;
  const name = nameOf(item);
  const isPhoto = item.body.media_type === 'image';
  const stored = addressOf(item, 'thumb_path') ?? (isPhoto ? addressOf(item, 'path') : null);
  const unseen = <span className="sr-only">{name}</span>;
  return (
    <>
      <Icon className="absolute inset-0 m-auto size-6 text-muted" aria-hidden />
      {file?.thumb ? (
        <LocalImage id={file.id} bytes={file.thumb} alt={name} className={FILL} />
      ) : stored ? (
        <ResponsiveImage
          item={item}
          instead={[stored]}
          sizes={sizes}
          className={FILL}
          loading="lazy"
          fallback={unseen}
        />
      ) : (
        unseen
      )}
      <span className="absolute inset-x-1 bottom-1.5 flex flex-wrap items-center justify-start gap-1 [&_.state]:gap-0.5 [&_.state]:rounded-xl [&_.state]:px-1.5 [&_.state]:text-start [&_.state]:text-[0.6875rem] [&_.state]:leading-tight [&_.state]:whitespace-normal">
        {pill}
        {item.body.is_hidden === true && <HiddenMark />}
        <StatePill state={item.state} />
      </span>
      {item.state === 'sending' && file && (
        <span className="absolute inset-x-0 bottom-0">
          <ProgressBar label={name} done={file.offset} of={file.size} overPicture />
        </span>
      )}
    </>
  );
}

/** On the photo that stands for all of them. */
export function PrimaryMark() {
  return (
    <SmallMark icon={Star} isFilled>
      Primary
    </SmallMark>
  );
}

/** On what nobody but its owner sees. */
export function HiddenMark() {
  return <SmallMark icon={EyeOff}>Hidden</SmallMark>;
}
