import { useEffect, useState, type ReactNode } from 'react';
import type { Media } from '#contract/records/media.ts';
import type { MediaItem } from '#db/queries.ts';
import { addressOf, nameOf } from './media-item.ts';

interface ResponsiveImageProps {
  item: MediaItem;
  /** How wide it is shown, as in `<img sizes>`. */
  sizes: string;
  className: string;
  loading?: 'lazy' | 'eager';
  /** Stands there while it cannot be had. */
  fallback: ReactNode;
}

/** Smaller copies by what they are made of, the newest kind first: a browser takes the first kind it reads. */
function sourcesOf(item: MediaItem): { type: string; srcSet: string }[] {
  const copies = (item.body.renditions ?? []) as Media['renditions'];
  return ['image/avif', 'image/webp', 'image/jpeg'].flatMap((type) => {
    const ofType = copies.filter((copy) => copy.type === type);
    return ofType.length === 0
      ? []
      : [{ type, srcSet: ofType.map(({ path, width }) => `${path} ${width}w`).join(', ') }];
  });
}

/** A photo from the server in the size that this screen needs. Tries again when there is signal. */
export function ResponsiveImage({ item, sizes, className, loading = 'eager', fallback }: ResponsiveImageProps) {
  const [isMissing, setIsMissing] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  useEffect(() => {
    if (!isMissing) return;
    const retry = () => setIsMissing(false);
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [isMissing]);
  if (isMissing) return fallback;
  return (
    <picture className="contents">
      {!isWhole &&
        sourcesOf(item).map(({ type, srcSet }) => <source key={type} type={type} srcSet={srcSet} sizes={sizes} />)}
      <img
        src={addressOf(item, 'path') ?? undefined}
        alt={nameOf(item)}
        className={className}
        loading={loading}
        decoding="async"
        draggable={false}
        // The copy that was chosen may be the one that was never kept here, where the whole photo or the thumbnail was.
        onError={() => (isWhole ? setIsMissing(true) : setIsWhole(true))}
      />
    </picture>
  );
}
