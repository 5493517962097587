/** Made by the build from the font package; see scripts/bundle/cv-fonts.ts. */
declare module 'virtual:cv-fonts' {
  import type { Face } from '#features/cv/pdf/fonts.ts';

  export const FONT_URLS: readonly (readonly [face: Face, url: string])[];
}
