import { useEffect, useState, type ReactNode } from 'react';
import type { Media } from '#contract/records/media.ts';
import type { MediaItem } from '#db/queries.ts';
import { getMediaName } from './media-item.ts';

interface ResponsiveImageProps {
  item: MediaItem;
  /** Paths that are tried one after the other if the chosen rendition cannot be loaded, for example offline. */
  fallbackPaths: readonly (string | null)[];
  /** The displayed width, as in `<img sizes>`. */
  sizes: string;
  className: string;
  loading?: 'lazy' | 'eager';
  /** Shown while no version can be loaded. */
  fallback: ReactNode;
}

/** The renditions grouped by format, the newest first: a browser uses the first format that it supports. */
function getSources(item: MediaItem): { type: string; srcSet: string }[] {
  const copies = (item.body.renditions ?? []) as Media['renditions'];
  return ['image/avif', 'image/webp', 'image/jpeg'].flatMap((type) => {
    const ofType = copies.filter((copy) => copy.type === type);
    return ofType.length === 0
      ? []
      : [{ type, srcSet: ofType.map(({ path, width }) => `${path} ${width}w`).join(', ') }];
  });
}

/** A photo from the server in the size that this screen needs. Retries when the device is online again. */
export function ResponsiveImage({
  item,
  fallbackPaths,
  sizes,
  className,
  loading = 'eager',
  fallback,
}: ResponsiveImageProps) {
  const addresses = fallbackPaths.filter((address) => address !== null);
  /** Number of failed attempts: first the renditions, then each fallback path. */
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
