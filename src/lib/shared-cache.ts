/**
 * Holds what another app shared with this one (a photo from the camera roll, a link from YouTube) until it is in the
 * store. It is a cache because the service worker receives the share and must not open the store, and a cache holds
 * files of any size.
 */
export const SHARED_CACHE = 'shared-files';

/** Deletes everything that was shared, so that the next user of this device does not find it. */
export async function clearShared(): Promise<void> {
  if (typeof caches !== 'undefined') await caches.delete(SHARED_CACHE);
}
