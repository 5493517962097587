import type { LucideIcon } from 'lucide-react';
import { EyeOff, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { LocalImage } from '#ui/LocalImage.tsx';
import { ProgressBar } from '#ui/ProgressBar.tsx';
import { Badge } from '#ui/Badge.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { getServerPath, getMediaName } from './media-item.ts';
import { ResponsiveImage } from './ResponsiveImage.tsx';

interface TileProps {
  item: MediaItem;
  /** Shown if there is no picture. */
  icon: LucideIcon;
  className: string;
  /** The displayed width, as in `<img sizes>`. */
  sizes: string;
  /** True if it is rendered because it is near the screen, so that it needs no lazy loading. */
  isNear?: boolean;
  /** Badges at the bottom left, before the state. */
  pill?: ReactNode;
  onOpen: () => void;
}

const FILL = 'block size-full rounded-xl object-cover';

/** The tile of a photo or video. A tap opens it. */
export function Tile({ item, icon: Icon, className, sizes, isNear = false, pill, onOpen }: TileProps) {
  const { file } = item;
  const name = getMediaName(item);
  const isPhoto = item.body.media_type === 'image';
  const stored = getServerPath(item, 'thumb_path') ?? (isPhoto ? getServerPath(item, 'path') : null);
  const placeholder = (
    <>
      <Icon className="absolute inset-0 m-auto size-6 text-muted" aria-hidden />
      <span className="sr-only">{name}</span>
    </>
  );
  return (
    <button
      type="button"
      data-media={item.id}
      className={`block w-full cursor-pointer rounded-xl bg-base-300 ${className}`}
      onClick={onOpen}
    >
      {file?.thumb ? (
        <LocalImage id={file.id} bytes={file.thumb} alt={name} className={FILL} />
      ) : stored ? (
        <ResponsiveImage
          item={item}
          fallbackPaths={[stored]}
          sizes={sizes}
          className={FILL}
          loading={isNear ? 'eager' : 'lazy'}
          fallback={placeholder}
        />
      ) : (
        placeholder
      )}
      <span className="absolute inset-x-1 bottom-1.5 flex flex-wrap items-center justify-start gap-1 empty:hidden [&_.state]:gap-0.5 [&_.state]:rounded-xl [&_.state]:px-1.5 [&_.state]:text-start [&_.state]:text-[0.6875rem] [&_.state]:leading-tight [&_.state]:whitespace-normal">
        {pill}
        {item.body.is_hidden === true && <HiddenBadge />}
        <StatePill state={item.state} />
      </span>
      {item.state === 'sending' && file && (
        <span className="absolute inset-x-0 bottom-0 overflow-hidden rounded-b-xl">
          <ProgressBar label={name} done={file.offset} of={file.size} overPicture />
        </span>
      )}
    </button>
  );
}

/** The badge of the primary photo. */
export function PrimaryBadge() {
  return (
    <Badge icon={Star} isFilled>
      Primary
    </Badge>
  );
}

/** The badge of media that only their owner sees. */
export function HiddenBadge() {
  return <Badge icon={EyeOff}>Hidden</Badge>;
}
