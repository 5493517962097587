import { useEffect, useState, type ReactNode } from 'react';
import type { Media } from '#contract/records/media.ts';
import type { MediaItem } from '#db/queries.ts';
import { getMediaName } from './media-item.ts';

interface ResponsiveImageProps {
  item: MediaItem;
  /** What stands in, one after the other, where the copy that was chosen was never kept here. */
  fallbackPaths: readonly (string | null)[];
  /** How wide it is shown, as in `<img sizes>`. */
  sizes: string;
  className: string;
  loading?: 'lazy' | 'eager';
  /** Stands there while it cannot be had. */
  fallback: ReactNode;
}

/** Smaller copies by what they are made of, the newest kind first: a browser takes the first kind it reads. */
function getSources(item: MediaItem): { type: string; srcSet: string }[] {
  const copies = (item.body.renditions ?? []) as Media['renditions'];
  return ['image/avif', 'image/webp', 'image/jpeg'].flatMap((type) => {
    const ofType = copies.filter((copy) => copy.type === type);
    return ofType.length === 0
      ? []
      : [{ type, srcSet: ofType.map(({ path, width }) => `${path} ${width}w`).join(', ') }];
  });
}

/** A photo from the server in the size that this screen needs. Tries again when there is signal. */
export function ResponsiveImage({
  item,
  fallbackPaths,
  sizes,
  className,
  loading = 'eager',
  fallback,
}: ResponsiveImageProps) {
  const addresses = fallbackPaths.filter((address) => address !== null);
  /** Failures so far: of the copies, then of each address. */
  const [failed, setFailed] = useState(0);
  const isMissing = failed > addresses.length;
  useEffect(() => {
    if (failed === 0) return;
    const retry = () => setFailed(0);
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [failed]);
  if (isMissing) return fallback;
  return (
    <picture className="contents">
      {failed === 0 &&
        getSources(item).map(({ type, srcSet }) => <source key={type} type={type} srcSet={srcSet} sizes={sizes} />)}
      <img
        src={addresses[Math.max(0, failed - 1)]}
        alt={getMediaName(item)}
        className={className}
        loading={loading}
        decoding="async"
        draggable={false}
        onError={() => setFailed(failed + 1)}
      />
    </picture>
  );
}
