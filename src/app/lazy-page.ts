import type { ComponentType } from 'react';
import { lazyPart, type LazyPart } from '#ui/lazy-part.ts';

/** Creates a page whose code is fetched when it is first opened: `lazyPage(() => import('./Login.tsx'), 'Login')`. */
export const lazyPage = <K extends string, Props extends object = object>(
  load: () => Promise<Record<K, ComponentType<Props>>>,
  name: K,
): LazyPart<Props> => lazyPart(async () => (await load())[name]);
