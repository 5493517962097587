import type { Endpoint } from './section.ts';

/** Endpoints of pushes, which the first page does without. */
export const PUSH_CALLS = {
  push: { method: 'GET', path: '/push', isExtension: true },
  subscribe: { method: 'PUT', path: '/push/subscription', isExtension: true },
  unsubscribe: { method: 'DELETE', path: '/push/subscription', isExtension: true },
  pushesSeen: { method: 'POST', path: '/push/seen', isExtension: true },
  testPush: { method: 'POST', path: '/push/test', isExtension: true },
  pushTest: { method: 'GET', path: '/push/test/:id', isExtension: true },
} as const satisfies Record<string, Endpoint>;
