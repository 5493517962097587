/**
 * The cache of viewed pictures, clips and documents (GET /storage/*), and a second cache with the size and last use of
 * each. The service worker fills them; everything in them can be fetched again from the server.
 */
export const MEDIA_CACHE = 'stored-media';
export const MEDIA_MARKS = 'stored-media-marks';
/** Files that the user pinned, and the PDFs of auditions that wait. Pages fill it, and the worker reads it. Neither makes room in it. */
export const PINNED_CACHE = 'kept-media';
/** The user's choices for single media, which override the choice for their page. */
export const PIN_CHOICES = 'kept-media-words';
/**
 * What another app shared with this one (a photo from the camera roll, a link from YouTube) until it is in the store. It is
 * a cache because the service worker receives the share and must not open the store, and a cache holds files of any size.
 */
export const SHARED_CACHE = 'shared-files';

const deleteCaches = async (...names: string[]) => {
  if (typeof caches === 'undefined') return;
  await Promise.all(names.map((name) => caches.delete(name)));
};

/** Deletes viewed files that are not pinned, when the device runs out of space for unsent work. */
export const clearSeenMedia = (): Promise<void> => deleteCaches(MEDIA_CACHE, MEDIA_MARKS);

/**
 * Deletes every media file of the caches, with or without a service worker. The page calls it at sign-out, so that the
 * next user of the device does not find them.
 */
export const clearStoredMedia = (): Promise<void> =>
  deleteCaches(MEDIA_CACHE, MEDIA_MARKS, PINNED_CACHE, PIN_CHOICES, SHARED_CACHE);
