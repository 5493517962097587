/** A header of the owner's own reads: answer as if one of these asked. `stranger` is not signed in. */
export const VIEW_AS_HEADER = 'X-View-As';
export const VIEWERS = ['stranger', 'member', 'connection'] as const;
export type Viewer = (typeof VIEWERS)[number];
