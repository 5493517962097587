/** Owners send this header to read their profile as another viewer sees it. A `stranger` is not signed in. */
export const VIEW_AS_HEADER = 'X-View-As';
export const VIEWERS = ['stranger', 'member', 'connection'] as const;
export type Viewer = (typeof VIEWERS)[number];
