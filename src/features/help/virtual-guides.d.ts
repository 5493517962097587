/** Generated at build time from `docs/for-performers` and `docs/for-casting`; see scripts/guides.ts. */
declare module 'virtual:guides' {
  import type { GuideGroup } from '#features/help/guide.ts';

  export const GUIDE_GROUPS: GuideGroup[];
}
