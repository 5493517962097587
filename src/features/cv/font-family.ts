import type { Face } from './pdf/fonts.ts';

/** The name under which the page knows a font of the PDF. */
export const familyOf = (face: Face): string => `cv-${face.replace(' ', '-')}`;
