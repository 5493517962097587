import type { Endpoint } from './section.ts';

/** Endpoints of files that a device sends to the operator's bucket itself. Separate, because few servers offer them. */
export const UPLOAD_CALLS = {
  sendParts: { method: 'POST', path: '/uploads/:id/parts', isExtension: true },
  completeUpload: { method: 'POST', path: '/uploads/:id/complete', isExtension: true },
  uploadState: { method: 'GET', path: '/uploads/:id', isExtension: true },
} satisfies Record<string, Endpoint>;
