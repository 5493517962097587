/** How a CV looks, apart from what it says. */
export interface CvDesign {
  maxPages: 1 | 2;
  /** CSS color. */
  accent: string;
  hasPortrait: boolean;
  /** QR code of the public page: an SVG path and its size in modules; null without one. */
  code: { path: string; size: number } | null;
  /** '19 Nov 2026' */
  date: string;
}
