import type { Endpoint } from './section.ts';

/** Endpoints for whoever has a share link, without an account. `linkId` is the link's `client_id`. */
export const WATCH_CALLS = {
  open: { method: 'POST', path: '/watch/:linkId/open', isExtension: true },
  read: { method: 'GET', path: '/watch/:linkId', isExtension: true },
  /** Whether the link still works: asked each second while something plays. */
  check: { method: 'GET', path: '/watch/:linkId/session', isExtension: true },
  viewed: { method: 'POST', path: '/watch/:linkId/viewed', isExtension: true },
  take: { method: 'GET', path: '/watch/:linkId/takes/:takeId', isExtension: true },
} as const satisfies Record<string, Endpoint>;
