import type { Endpoint } from './section.ts';

/** Endpoints about changes that waited on a device and were lost with its storage. */
export const DEVICE_CALLS = {
  lost: { method: 'GET', path: '/devices/lost', isExtension: true },
  dismiss: { method: 'POST', path: '/devices/:id/dismiss', isExtension: true },
} as const satisfies Record<string, Endpoint>;
