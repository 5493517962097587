import { useEffect, useState, type ComponentProps } from 'react';
import { download } from '#net/download.ts';
import { RemoteImage } from '#ui/RemoteImage.tsx';

/** An address in this page for the file behind a path: undefined until it came, null where it did not. */
function useFetched(path: string | null): string | null | undefined {
  const [fetched, setFetched] = useState<{ path: string; url: string | null }>();
  useEffect(() => {
    if (path === null) return;
    const leaving = new AbortController();
    let made: string | null = null;
    download({ method: 'GET', path }, () => undefined, leaving.signal)
      .then((answer) => {
        if (leaving.signal.aborted) return;
        made = answer.ok ? URL.createObjectURL(answer.data) : null;
        setFetched({ path, url: made });
      })
      .catch(reportError);
    return () => {
      leaving.abort();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [path]);
  return fetched && fetched.path === path ? fetched.url : undefined;
}

/**
 * A picture that only some may see. An `<img>` sends no token: the worker of the app adds it, and where there is none (in a
 * first visit's first seconds, in some private windows) the page fetches the picture itself.
 */
export function PrivateImage({ src, fallback = null, ...image }: ComponentProps<typeof RemoteImage>) {
  // Asked once: what is on the screen is not fetched again because a worker came.
  const [isOwn] = useState(() => !(navigator as Partial<Navigator>).serviceWorker?.controller);
  const fetched = useFetched(isOwn ? src : null);
  if (!isOwn) return <RemoteImage src={src} fallback={fallback} {...image} />;
  if (fetched === undefined) return null;
  return fetched === null ? fallback : <RemoteImage src={fetched} fallback={fallback} {...image} />;
}
