import { LIMITS } from '#contract/limits.ts';
import type { MediaType } from '#contract/media-types.ts';
import { computePeaks } from '#lib/peaks.ts';
import { drawJpeg, createThumbnail } from '#ui/photo-file.ts';

/** What this device finds out about a file by opening it; nothing of one it cannot open. */
export interface FileMetadata {
  /** Small JPEG: of a photo itself, of a video a frame. */
  thumb?: ArrayBuffer;
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
  /** Loudness from beginning to end, 0 to 1. */
  peaks?: number[];
}

/** How long a browser may take over a file before it is stored without: some never answer for what they cannot play. */
const EVENT_TIMEOUT_MS = 10_000;
const POSTER = { atSeconds: 2, widthPx: 480, maxBytes: Math.floor((LIMITS.posterBase64Chars * 3) / 4) };
/** Decoded whole, an hour of sound would fill a phone's memory; a longer one is shown without its waveform. */
const MAX_DECODED_SECONDS = 600;
/** Enough for the shape of a sound, and a fifth of the memory. */
const SAMPLE_RATE = 8000;

/** Opens a picked file as far as this browser can. One it cannot open is taken all the same, with its size alone. */
export async function inspectFile(kind: MediaType, file: Blob): Promise<FileMetadata> {
  switch (kind) {
    case 'image':
      return { ...(await createThumbnail(file)) };
    case 'video':
      return withPlayer('video', file, inspectVideo);
    case 'audio':
      return withPlayer('audio', file, (player) => inspectAudio(player, file));
    case 'document':
      return {};
  }
}

/** Runs `work` on a player that knows the file's length; nothing where the browser cannot play it. */
async function withPlayer<K extends 'video' | 'audio'>(
  tag: K,
  file: Blob,
  work: (player: HTMLElementTagNameMap[K]) => Promise<FileMetadata>,
): Promise<FileMetadata> {
  const player = document.createElement(tag);
  const url = URL.createObjectURL(file);
  try {
    player.muted = true;
    player.preload = 'auto';
    player.src = url;
    return (await waitForEvent(player, 'loadedmetadata')) ? await work(player) : {};
  } finally {
    player.removeAttribute('src');
    player.load();
    URL.revokeObjectURL(url);
  }
}

/** Waits for a player to say this; false where it fails or takes too long. */
function waitForEvent(player: HTMLMediaElement, event: string): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isSo: boolean) => () => {
      clearTimeout(timer);
      resolve(isSo);
    };
    const timer = setTimeout(settle(false), EVENT_TIMEOUT_MS);
    player.addEventListener(event, settle(true), { once: true });
    player.addEventListener('error', settle(false), { once: true });
  });
}

/** Recordings that were cut off, or streamed, do not tell their length. */
const getDuration = ({ duration }: { duration: number }): Pick<FileMetadata, 'duration'> =>
  Number.isFinite(duration) && duration > 0 ? { duration } : {};

async function inspectVideo(video: HTMLVideoElement): Promise<FileMetadata> {
  const { videoWidth: width, videoHeight: height } = video;
  const length = getDuration(video);
  // Sound alone, or a picture this browser has no decoder for.
  if (width === 0 || height === 0) return length;
  const seen = { ...length, width, height };
  video.playsInline = true;
  const isThere = waitForEvent(video, 'seeked');
  video.currentTime = Math.min(POSTER.atSeconds, (length.duration ?? 0) / 2);
  if (!(await isThere)) return seen;
  const share = Math.min(1, POSTER.widthPx / width);
  const frame = await drawJpeg(video, { width: width * share, height: height * share }, 0.8);
  return frame && frame.size <= POSTER.maxBytes ? { ...seen, thumb: await frame.arrayBuffer() } : seen;
}

async function inspectAudio(audio: HTMLAudioElement, file: Blob): Promise<FileMetadata> {
  const length = getDuration(audio);
  if (length.duration === undefined || length.duration > MAX_DECODED_SECONDS) return length;
  const decoder = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  // What plays but cannot be decoded whole has its length all the same.
  const sound = await decoder.decodeAudioData(await file.arrayBuffer()).catch(() => null);
  if (sound === null) return length;
  const channels = Array.from({ length: sound.numberOfChannels }, (_, at) => sound.getChannelData(at));
  return { duration: sound.duration, peaks: computePeaks(channels, LIMITS.waveformPeaks) };
}
