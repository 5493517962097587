import { memo } from 'react';

interface LocalImageProps {
  /** Identifies the bytes: an id always stands for the same bytes. */
  id: string;
  bytes: ArrayBuffer | Blob;
  alt: string;
  className?: string;
}

function show(image: HTMLImageElement, bytes: ArrayBuffer | Blob) {
  const url = URL.createObjectURL(bytes instanceof Blob ? bytes : new Blob([bytes]));
  image.src = url;
  return () => {
    // Chromium logs an error for a picture that still loads when its address is revoked.
    image.removeAttribute('src');
    URL.revokeObjectURL(url);
  };
}

/**
 * A picture whose bytes are on this device. Live queries return new copies of the same bytes, so the image re-renders
 * only when its id changes. Otherwise it would flicker.
 */
export const LocalImage = memo(
  ({ bytes, alt, className }: LocalImageProps) => (
    <img
      ref={(image) => (image ? show(image, bytes) : undefined)}
      alt={alt}
      className={className}
      draggable={false}
      // A picture that this browser cannot decode shows the empty tile instead of a broken-image icon.
      onError={({ currentTarget }) => (currentTarget.hidden = true)}
    />
  ),
  (before, after) => before.id === after.id && before.alt === after.alt && before.className === after.className,
);
