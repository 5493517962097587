import type { TextStyle } from './typeset.ts';
import { PAGE } from './marks.ts';

/** Space between the edge of the paper and what is printed, in points. */
export const MARGIN = { side: 45, top: 42, bottom: 40 } as const;
export const CONTENT_WIDTH = PAGE.width - 2 * MARGIN.side;

const INK = '#17231d';
const MUTED = '#4d5a53';

export const BODY: TextStyle = { size: 9.5, weight: 'regular', color: INK, lineHeight: 13 };
export const STRONG: TextStyle = { ...BODY, weight: 'bold' };
export const QUIET: TextStyle = { ...BODY, color: MUTED };
export const SMALL: TextStyle = { size: 7.5, weight: 'regular', color: MUTED, lineHeight: 10 };
