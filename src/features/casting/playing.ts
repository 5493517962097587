export const SPEEDS = [1, 1.25, 1.5, 2] as const;

/** The next faster speed; after the fastest, the usual one. */
export const nextSpeed = (speed: number): number => SPEEDS.find((each) => each > speed) ?? SPEEDS[0];

/** A video that is taken away or paused while it starts says so by an error, which nobody needs to hear of. */
const play = (video: HTMLVideoElement) =>
  video.play().catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) reportError(error);
  });

/** Pauses all if one of them plays, and plays all otherwise. */
export function togglePlay(...videos: readonly (HTMLVideoElement | null)[]): void {
  const there = videos.filter((video) => video !== null);
  const isPlaying = there.some((video) => !video.paused && !video.ended);
  for (const video of there) {
    if (isPlaying) video.pause();
    else void play(video);
  }
}

/** @param seconds negative: back */
export function seekBy(video: HTMLVideoElement | null, seconds: number): void {
  if (video) video.currentTime = Math.max(0, video.currentTime + seconds);
}

/** @param speed 1 is the usual one */
export function setSpeedOf(speed: number, ...videos: readonly (HTMLVideoElement | null)[]): void {
  for (const video of videos) if (video) video.playbackRate = speed;
}
