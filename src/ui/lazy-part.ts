/**
 * Components whose code is fetched when they are first rendered. Unlike `lazy` of React they need no Suspense: React
 * shows what has suspended after 300 ms at the earliest, although code that the device has stored is there within ten.
 */
import { createElement, useCallback, useEffect, useState, type ComponentType, type ReactNode } from 'react';

type FetchPart<P extends object> = () => Promise<ComponentType<P>>;

export interface LazyPart<P extends object> {
  (props: P): ReactNode;
  /** Fetches the code ahead. Rejects if that fails. */
  load(): Promise<void>;
}

/** Returns a function that fetches the code, and a hook that does so while a component is mounted. */
function createLoader<P extends object>(fetchPart: FetchPart<P>) {
  let ready: ComponentType<P> | null = null;
  const load = async () => {
    ready = await fetchPart();
  };
  function useLoaded() {
    const [Loaded, setLoaded] = useState(() => ready);
    const [failure, setFailure] = useState<{ error: unknown } | null>(null);
    const isMissing = Loaded === null && failure === null;
    useEffect(() => {
      if (!isMissing) return;
      let isCurrent = true;
      load().then(
        () => isCurrent && setLoaded(() => ready),
        (error: unknown) => isCurrent && setFailure({ error }),
      );
      return () => {
        isCurrent = false;
      };
    }, [isMissing]);
    const retry = useCallback(() => setFailure(null), []);
    return { Loaded, failure, retry };
  }
  return { load, useLoaded };
}

/** A part that the page needs. It renders nothing at first, and throws while rendering if its code cannot be fetched. */
export function lazyPart<P extends object>(fetchPart: FetchPart<P>): LazyPart<P> {
  const { load, useLoaded } = createLoader(fetchPart);
  function Part(props: P) {
    const { Loaded, failure } = useLoaded();
    if (failure) throw failure.error;
    return Loaded && createElement(Loaded, props);
  }
  return Object.assign(Part, { load });
}

/**
 * A part that the page can do without. If its code cannot be fetched (for example, the connection was lost during the
 * first visit), the rest of the page works. It is requested again when the device goes online and when the page becomes
 * visible again, for example after the sign-in to a Wi-Fi network.
 * @param Fallback rendered until the code is there; nothing by default
 */
export function lazyOptional<P extends object>(
  fetchPart: FetchPart<P>,
  Fallback?: ComponentType<NoInfer<P>>,
): ComponentType<P> {
  const { useLoaded } = createLoader(fetchPart);
  return function Optional(props: P) {
    const { Loaded, failure, retry } = useLoaded();
    useEffect(() => {
      if (failure === null) return;
      console.warn('Failed to load an optional part of this page', failure.error);
      const retryIfVisible = () => document.visibilityState === 'visible' && retry();
      addEventListener('online', retryIfVisible);
      document.addEventListener('visibilitychange', retryIfVisible);
      return () => {
        removeEventListener('online', retryIfVisible);
        document.removeEventListener('visibilitychange', retryIfVisible);
      };
    }, [failure, retry]);
    const Shown = Loaded ?? Fallback;
    return Shown ? createElement(Shown, props) : null;
  };
}
