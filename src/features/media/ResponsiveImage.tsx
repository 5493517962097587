import { useEffect, useState, type ReactNode } from 'react';
import type { Media } from '#contract/records/media.ts';
import type { MediaItem } from '#db/queries.ts';
import { nameOf } from './media-item.ts';

interface ResponsiveImageProps {
  item: MediaItem;
  /** Address of the copy that stands in where no other can be had. */
  plain: string;
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
export function ResponsiveImage({ item, plain, sizes, className, loading = 'eager', fallback }: ResponsiveImageProps) {
  const [isMissing, setIsMissing] = useState(false);
  const [isPlain, setIsPlain] = useState(false);
  useEffect(() => {
    if (!isMissing) return;
    const retry = () => setIsMissing(false);
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [isMissing]);
  if (isMissing) return fallback;
  return (
    <picture className="contents">
      {!isPlain &&
        sourcesOf(item).map(({ type, srcSet }) => <source key={type} type={type} srcSet={srcSet} sizes={sizes} />)}
      <img
        src={plain}
        alt={nameOf(item)}
        className={className}
        loading={loading}
        decoding="async"
        draggable={false}
        // The copy that was chosen may be one that was never kept here, where the plain one was.
        onError={() => (isPlain ? setIsMissing(true) : setIsPlain(true))}
      />
    </picture>
  );
}
