/** Why playback failed. 'unplayable': the browser cannot decode it. 'away': it cannot be loaded while offline. */
export type PlaybackError = 'unplayable' | 'away';

/** A network that never answers is none. */
const TIMEOUT_MS = 15_000;

/** Requests one byte of a file to see whether it can be loaded, from the server or from what is kept on this device. */
export async function canLoad(source: string): Promise<boolean> {
  const answer = await fetch(source, {
    headers: { Range: 'bytes=0-0' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok === true;
}

/**
 * Finds out why a source does not play. It tries to load it, because a player reports the same error for a file that
 * it cannot decode and for one that it cannot load.
 * @param source URL of the file; a local file's URL starts with `blob:`
 */
export async function getPlaybackError(source: string): Promise<PlaybackError> {
  if (source.startsWith('blob:')) return 'unplayable';
  return (await canLoad(source)) ? 'unplayable' : 'away';
}

/** Whether a loaded video has no picture because this device can decode only its sound. */
export const hasNoPicture = ({ videoWidth, videoHeight }: Pick<HTMLVideoElement, 'videoWidth' | 'videoHeight'>) =>
  videoWidth === 0 || videoHeight === 0;
