/**
 * Cache of pictures, clips and documents the person has seen (GET /storage/*): the bodies, and beside each a mark of its
 * size and when it was last asked for. The service worker fills it; everything in it can be had again from the server.
 */
export const MEDIA_CACHE = 'stored-media';
export const MEDIA_MARKS = 'stored-media-marks';
/** Files kept on purpose. The page fills it, the worker answers from it, and nothing makes room in it but the person. */
export const PINNED_CACHE = 'kept-media';
/** What the person said of single media, beside what they said of whole pages. */
export const PIN_CHOICES = 'kept-media-words';

const forget = async (...names: string[]) => {
  if (typeof caches === 'undefined') return;
  await Promise.all(names.map((name) => caches.delete(name)));
};

/** Forgets the files that were only seen, when the device runs out of room for unsent work. */
export const clearSeenMedia = (): Promise<void> => forget(MEDIA_CACHE, MEDIA_MARKS);

/**
 * Forgets every media file on this device. Called from the page at sign-out: the next person on it must not find them.
 * Works with or without a service worker.
 */
export const clearStoredMedia = (): Promise<void> => forget(MEDIA_CACHE, MEDIA_MARKS, PINNED_CACHE, PIN_CHOICES);
