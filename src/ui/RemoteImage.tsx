import { useEffect, useState, type ReactNode } from 'react';

interface RemoteImageProps {
  src: string;
  alt: string;
  className?: string;
  loading?: 'lazy' | 'eager';
  /** What stands there while the picture cannot be had: without signal, before it was ever kept. */
  fallback?: ReactNode;
}

/** A picture from the server; never a broken-image mark. Tries again when there is signal. */
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
