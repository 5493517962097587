/**
 * Cache of pictures, clips and documents the person has seen (GET /storage/*): the bodies, and beside each a mark of its
 * size and when it was last asked for. The service worker fills it; everything in it can be had again from the server.
 */
export const MEDIA_CACHE = 'stored-media';
export const MEDIA_MARKS = 'stored-media-marks';

/**
 * Forgets every kept media file. Called from the page at sign-out (the next person on this device must not find them)
 * and when the device runs out of room for unsent work. Works with or without a service worker.
 */
export async function forgetStoredMedia(): Promise<void> {
  if (typeof caches === 'undefined') return;
  await Promise.all([MEDIA_CACHE, MEDIA_MARKS].map((name) => caches.delete(name)));
}
