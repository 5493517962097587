import { lazy, type ComponentType, type LazyExoticComponent } from 'react';

/** Stands where a piece should be whose code could not be fetched. */
const Nothing = () => null;

/**
 * A piece that the page can do without for once: where its code cannot be had (the signal went before the first visit was
 * over), nothing stands in its place and everything else goes on. The next opening asks again.
 */
export function lazyOptional<P extends object>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    try {
      return { default: await load() };
    } catch (error) {
      console.warn('Part of this page is not on this device yet. Go online to load it', error);
      return { default: Nothing };
    }
  });
}
