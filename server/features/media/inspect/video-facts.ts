import type { Range } from './range.ts';

/** Facts about a video from its container. */
export interface VideoFacts {
  /** Seconds; null if the container does not contain it (a recording streamed to disk). */
  durationSeconds: number | null;
  /** Display size, after rotation. */
  width: number;
  height: number;
  /** Ranges of the file with invisible metadata, such as the filming location. */
  hidden: readonly Range[];
}
