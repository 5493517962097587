import type { MediaType } from '#contract/media-types.ts';
import { glanceAt } from '#ui/photo-file.ts';

/** What this device finds out about a file by opening it; nothing of one it cannot open. */
export interface Seen {
  /** Small JPEG: of a photo itself, of a video a frame. */
  thumb?: ArrayBuffer;
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
  /** Loudness from beginning to end, 0 to 1. */
  peaks?: number[];
}

/** Opens a picked file as far as this browser can. One it cannot open is taken all the same, with its size alone. */
export async function lookAt(kind: MediaType, file: Blob): Promise<Seen> {
  return kind === 'image' ? { ...(await glanceAt(file)) } : {};
}
