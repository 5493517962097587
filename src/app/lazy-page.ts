import type { ComponentType } from 'react';
import { lazyPart, type LazyPart } from '#ui/lazy-part.ts';

/** The code of a page could not be fetched: the device is offline and has never cached it, or a new version replaced it. */
export class PageLoadError extends Error {
  override name = 'PageLoadError';
}

/**
 * Creates a page whose code is fetched when it is first opened: `lazyPage(() => import('./Login.tsx'), 'Login')`. Throws
 * PageLoadError while rendering if the code cannot be fetched.
 */
export const lazyPage = <K extends string, Props extends object = object>(
  load: () => Promise<Record<K, ComponentType<Props>>>,
  name: K,
): LazyPart<Props> =>
  lazyPart(async () => {
    try {
      return (await load())[name];
    } catch (error) {
      throw new PageLoadError('The page could not be fetched', { cause: error });
    }
  });
