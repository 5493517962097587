/** Made by the build from the files below `docs/for-performers` and `docs/for-casting`; see scripts/guides.ts. */
declare module 'virtual:guides' {
  import type { Shelf } from '#features/help/guide.ts';

  export const SHELVES: Shelf[];
}
