import type { Endpoint } from './section.ts';

// Exported one by one as well, so that the service worker bundles only what it calls.
export const SUBSCRIBE = { method: 'PUT', path: '/push/subscription', isExtension: true } as const satisfies Endpoint;
export const PUSHES_SEEN = { method: 'POST', path: '/push/seen', isExtension: true } as const satisfies Endpoint;

/** Endpoints of pushes, which the first page does without. */
export const PUSH_CALLS = {
  push: { method: 'GET', path: '/push', isExtension: true },
  subscribe: SUBSCRIBE,
  unsubscribe: { method: 'DELETE', path: '/push/subscription', isExtension: true },
  pushesSeen: PUSHES_SEEN,
  testPush: { method: 'POST', path: '/push/test', isExtension: true },
  pushTest: { method: 'GET', path: '/push/test/:id', isExtension: true },
} as const satisfies Record<string, Endpoint>;
