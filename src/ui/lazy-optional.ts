import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** Rendered if a lazy chunk fails to load. */
const Nothing = () => null;

/**
 * A lazy component that the page can do without. If its chunk cannot be loaded (for example, the connection was lost
 * during the first visit), it renders nothing and the rest of the page works. It is requested again when the page is
 * loaded again.
 */
export function lazyOptional<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      console.warn('Failed to load an optional part of this page', error);
      return { default: Nothing };
    }
  });
}
