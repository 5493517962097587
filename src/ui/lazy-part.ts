/**
 * Components whose code is fetched when they are first rendered. Unlike `lazy` of React they need no Suspense: React
 * shows what has suspended after 300 ms at the earliest, although code that the device has stored is there within ten.
 */
import { createElement, useEffect, useState, type ComponentType, type ReactNode } from 'react';

type FetchPart<P extends object> = () => Promise<ComponentType<P>>;

/** Code could not be fetched: the device is offline and has never cached it, or something else came in its place. */
export class PartLoadError extends Error {
  override name = 'PartLoadError';
}

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
    const [failure, setFailure] = useState<Error | null>(null);
    const isMissing = Loaded === null && failure === null;
    useEffect(() => {
      if (!isMissing) return;
      let isCurrent = true;
      load().then(
        () => isCurrent && setLoaded(() => ready),
        (cause: unknown) =>
          isCurrent && setFailure(new PartLoadError('A part of the page could not be fetched', { cause })),
      );
      return () => {
        isCurrent = false;
      };
    }, [isMissing]);
    return { Loaded, failure };
  }
  return { load, useLoaded };
}

/** A part that the page needs. It renders nothing at first, and throws `PartLoadError` if its code cannot be fetched. */
export function lazyPart<P extends object>(fetchPart: FetchPart<P>): LazyPart<P> {
  const { load, useLoaded } = createLoader(fetchPart);
  function Part(props: P) {
    const { Loaded, failure } = useLoaded();
    if (failure) throw failure;
    return Loaded && createElement(Loaded, props);
  }
  return Object.assign(Part, { load });
}

/**
 * A part that the page can do without. If its code cannot be fetched (for example, the connection was lost during the
 * first visit), the rest of the page works, and `rescuePage` reloads it later.
 * @param Fallback rendered until the code is there; nothing by default
 */
export function lazyOptional<P extends object>(
  fetchPart: FetchPart<P>,
  Fallback?: ComponentType<NoInfer<P>>,
): ComponentType<P> {
  const { useLoaded } = createLoader(fetchPart);
  return function Optional(props: P) {
    const { Loaded, failure } = useLoaded();
    useEffect(() => {
      if (failure) console.warn(failure);
    }, [failure]);
    const Shown = Loaded ?? Fallback;
    return Shown ? createElement(Shown, props) : null;
  };
}
