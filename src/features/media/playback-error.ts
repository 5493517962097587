/** Why something does not play: this browser cannot, or the bytes cannot be had without signal. */
export type PlaybackError = 'unplayable' | 'away';

/**
 * Asks for one byte of it: a player says the same of a file that it cannot read and of one that never came.
 * @param source its address; that of bytes which are here begins with `blob:`
 */
export async function getPlaybackError(source: string): Promise<PlaybackError> {
  if (source.startsWith('blob:')) return 'unplayable';
  const answer = await fetch(source, { headers: { Range: 'bytes=0-0' } }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok ? 'unplayable' : 'away';
}

/** Whether a film that has loaded shows nothing: this device can decode its sound and not its picture. */
export const hasNoPicture = ({ videoWidth, videoHeight }: Pick<HTMLVideoElement, 'videoWidth' | 'videoHeight'>) =>
  videoWidth === 0 || videoHeight === 0;
