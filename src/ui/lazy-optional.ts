import { createElement, lazy, useEffect, useSyncExternalStore, type ComponentType } from 'react';

/**
 * A lazy component that the page can do without. If its chunk cannot be loaded (for example, the connection was lost
 * during the first visit), it renders nothing and the rest of the page works. It is requested again when the device goes
 * online and when the page becomes visible again, for example after the sign-in to a Wi-Fi network.
 */
export function lazyOptional<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  const listeners = new Set<() => void>();
  let Part = createPart();

  function createPart() {
    return lazy(async () => {
      try {
        return { default: await load() };
      } catch (error) {
        console.warn('Failed to load an optional part of this page', error);
        return { default: Missing };
      }
    });
  }

  function retry(): void {
    if (document.visibilityState === 'hidden') return;
    Part = createPart();
    for (const onChange of listeners) onChange();
  }

  /** Rendered while the chunk could not be loaded. */
  function Missing(): null {
    useEffect(() => {
      addEventListener('online', retry);
      document.addEventListener('visibilitychange', retry);
      return () => {
        removeEventListener('online', retry);
        document.removeEventListener('visibilitychange', retry);
      };
    }, []);
    return null;
  }

  const subscribe = (onChange: () => void) => {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  };
  return function Optional(props: P) {
    return createElement(
      useSyncExternalStore(subscribe, () => Part),
      props,
    );
  };
}
