import { lazy, type ComponentType } from 'react';

/** The code of a page could not be fetched: no signal before it was ever kept here, or a newer version took its place. */
export class PageLoadError extends Error {
  override name = 'PageNotHere';
}

/** A page fetched when it is first opened: `lazyPage(() => import('./Login.tsx'), 'Login')`. */
export function lazyPage<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return lazy(() =>
    load().then(
      (module) => ({ default: module[name] }),
      (error: unknown) => {
        throw new PageLoadError('The page could not be fetched', { cause: error });
      },
    ),
  );
}
