import { useState, type ComponentProps } from 'react';
import { download } from '#net/download.ts';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { useObjectUrl } from '#ui/use-object-url.ts';
import { isControlledByWorker } from './worker.ts';

async function fetchImage(path: string, signal: AbortSignal): Promise<Blob | null> {
  const answer = await download({ method: 'GET', path }, () => undefined, signal);
  return answer.ok ? answer.data : null;
}

/**
 * A picture that requires authentication. An `<img>` sends no token, so the service worker adds it. Without a worker
 * (in the first seconds of a first visit, in some private windows) the page fetches the picture itself.
 */
export function PrivateImage({ src, fallback = null, ...image }: ComponentProps<typeof RemoteImage>) {
  // Decided once: a worker that starts later must not cause another fetch.
  const [isFetchedByPage] = useState(() => !isControlledByWorker());
  const localUrl = useObjectUrl(isFetchedByPage ? src : null, (signal) => fetchImage(src, signal));
  if (!isFetchedByPage) return <RemoteImage src={src} fallback={fallback} {...image} />;
  if (localUrl === undefined) return null;
  return localUrl === null ? fallback : <RemoteImage src={localUrl} fallback={fallback} {...image} />;
}
