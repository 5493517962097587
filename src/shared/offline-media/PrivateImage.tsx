import { useState, type ComponentProps } from 'react';
import { download } from '#net/download.ts';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { useObjectUrl } from '#ui/use-object-url.ts';

async function fetched(path: string, signal: AbortSignal): Promise<Blob | null> {
  const answer = await download({ method: 'GET', path }, () => undefined, signal);
  return answer.ok ? answer.data : null;
}

/**
 * A picture that only some may see. An `<img>` sends no token: the worker of the app adds it, and where there is none (in a
 * first visit's first seconds, in some private windows) the page fetches the picture itself.
 */
export function PrivateImage({ src, fallback = null, ...image }: ComponentProps<typeof RemoteImage>) {
  // Asked once: what is on the screen is not fetched again because a worker came.
  const [isOwn] = useState(() => !(navigator as Partial<Navigator>).serviceWorker?.controller);
  const own = useObjectUrl(isOwn ? src : null, (signal) => fetched(src, signal));
  if (!isOwn) return <RemoteImage src={src} fallback={fallback} {...image} />;
  if (own === undefined) return null;
  return own === null ? fallback : <RemoteImage src={own} fallback={fallback} {...image} />;
}
