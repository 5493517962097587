import { lazy, type ComponentType } from 'react';

/** The code of a page could not be fetched: the device is offline and has never cached it, or a new version replaced it. */
export class PageLoadError extends Error {
  override name = 'PageLoadError';
}

/**
 * Creates a page whose code is fetched when it is first opened: `lazyPage(() => import('./Login.tsx'), 'Login')`. Throws
 * PageLoadError while rendering if the code cannot be fetched.
 */
export function lazyPage<K extends string, Props = object>(
  load: () => Promise<Record<K, ComponentType<Props>>>,
  name: K,
) {
  return lazy(() =>
    load().then(
      (module) => ({ default: module[name] }),
      (error: unknown) => {
        throw new PageLoadError('The page could not be fetched', { cause: error });
      },
    ),
  );
}
