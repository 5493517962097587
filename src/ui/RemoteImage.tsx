import { useEffect, useState, type ReactNode } from 'react';

interface RemoteImageProps {
  src: string;
  alt: string;
  className?: string;
  loading?: 'lazy' | 'eager';
  /** Shown while the picture cannot be loaded, such as offline before it was cached. */
  fallback?: ReactNode;
}

/**
 * A picture from the server, with a fallback instead of a broken-image icon. Retries when the device is online again.
 */
export function RemoteImage({ src, alt, className, loading = 'eager', fallback = null }: RemoteImageProps) {
  const [failed, setFailed] = useState<string | null>(null);
  const isMissing = failed === src;
  useEffect(() => {
    if (!isMissing) return;
    const retry = () => setFailed(null);
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [isMissing]);
  if (isMissing) return fallback;
  return (
    <img
      src={src}
      alt={alt}
      className={className}
      loading={loading}
      decoding="async"
      draggable={false}
      onError={() => setFailed(src)}
    />
  );
}
