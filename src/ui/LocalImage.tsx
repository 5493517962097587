import { memo } from 'react';

interface LocalImageProps {
  /** Names the picture: the same id never shows other bytes. */
  id: string;
  bytes: ArrayBuffer | Blob;
  alt: string;
  className?: string;
}

function show(image: HTMLImageElement, bytes: ArrayBuffer | Blob) {
  const url = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes]));
  image.src = url;
  return () => URL.revokeObjectURL(url);
}

/**
 * A picture whose bytes lie on this device. Live queries hand out fresh copies of the same bytes; the image is drawn
 * again only when the id changes, so it does not flicker.
 */
export const LocalImage = memo(
  ({ bytes, alt, className }: LocalImageProps) => (
    <img
      ref={(image) => (image ? show(image, bytes) : undefined)}
      alt={alt}
      className={className}
      draggable={false}
      // What this device cannot draw leaves its tile, not a broken-image mark.
      onError={({ currentTarget }) => (currentTarget.hidden = true)}
    />
  ),
  (before, after) => before.id === after.id && before.alt === after.alt && before.className === after.className,
);
