import { LIMITS } from '#contract/limits.ts';
import type { MediaType } from '#contract/media-types.ts';
import { computePeaks } from '#lib/peaks.ts';
import { drawJpeg, createThumbnail } from '#ui/photo-file.ts';
import { drawStrip } from './draw-strip.ts';

/** What this device can read from a file; empty if it cannot decode it. */
export interface FileMetadata {
  /** Small JPEG of the photo, or of a frame of the video. */
  thumb?: ArrayBuffer;
  /** JPEG of some frames of the video, side by side. */
  strip?: ArrayBuffer;
  width?: number;
  height?: number;
  /** Seconds. */
  duration?: number;
  /** Waveform peaks, normalized to 0–1. */
  peaks?: number[];
}

/**
 * After this time a file is stored without metadata: some browsers never fire an event for files that they cannot play.
 */
const EVENT_TIMEOUT_MS = 10_000;
const POSTER = { atSeconds: 2, widthPx: 480, maxBytes: Math.floor((LIMITS.posterBase64Chars * 3) / 4) };
/** Longer recordings get no waveform: an hour of decoded audio would fill a phone's memory. */
const MAX_DECODED_SECONDS = 600;
/** Enough for a waveform, with a fifth of the memory. */
const SAMPLE_RATE = 8000;

/**
 * Reads the metadata of a picked file. A file that this browser cannot decode is accepted without metadata.
 * @param hasStrip also make a strip of a video
 */
export async function inspectFile(kind: MediaType, file: Blob, hasStrip = false): Promise<FileMetadata> {
  switch (kind) {
    case 'image':
      return { ...(await createThumbnail(file)) };
    case 'video':
      return withPlayer('video', file, (video) => inspectVideo(video, hasStrip));
    case 'audio':
      return withPlayer('audio', file, (player) => inspectAudio(player, file));
    case 'document':
      return {};
  }
}

/** Runs `work` on a player that has loaded the file's metadata; returns {} if the browser cannot play it. */
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

/** Waits for an event of a player; resolves to false if the player fails or takes too long. */
function waitForEvent(player: HTMLMediaElement, event: string): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (hasFired: boolean) => () => {
      clearTimeout(timer);
      resolve(hasFired);
    };
    const timer = setTimeout(settle(false), EVENT_TIMEOUT_MS);
    player.addEventListener(event, settle(true), { once: true });
    player.addEventListener('error', settle(false), { once: true });
  });
}

/** The duration in seconds, if known. Truncated or streamed recordings have none. */
const getDuration = ({ duration }: { duration: number }): Pick<FileMetadata, 'duration'> =>
  Number.isFinite(duration) && duration > 0 ? { duration } : {};

async function inspectVideo(video: HTMLVideoElement, hasStrip: boolean): Promise<FileMetadata> {
  const { videoWidth: width, videoHeight: height } = video;
  const length = getDuration(video);
  // The file has only sound, or the browser has no decoder for the picture.
  if (width === 0 || height === 0) return length;
  const metadata = { ...length, width, height };
  video.playsInline = true;
  const seek = (seconds: number) => {
    const hasSeeked = waitForEvent(video, 'seeked');
    video.currentTime = seconds;
    return hasSeeked;
  };
  if (!(await seek(Math.min(POSTER.atSeconds, (length.duration ?? 0) / 2)))) return metadata;
  const share = Math.min(1, POSTER.widthPx / width);
  const frame = await drawJpeg(video, { width: width * share, height: height * share }, 0.8);
  const thumb = frame && frame.size <= POSTER.maxBytes ? await frame.arrayBuffer() : null;
  const strip = hasStrip ? await drawStrip(video, seek) : null;
  return { ...metadata, ...(thumb && { thumb }), ...(strip && { strip }) };
}

async function inspectAudio(audio: HTMLAudioElement, file: Blob): Promise<FileMetadata> {
  const length = getDuration(audio);
  if (length.duration === undefined || length.duration > MAX_DECODED_SECONDS) return length;
  const decoder = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  // A file that plays but cannot be decoded still has its length.
  const sound = await decoder.decodeAudioData(await file.arrayBuffer()).catch(() => null);
  if (sound === null) return length;
  const channels = Array.from({ length: sound.numberOfChannels }, (_, at) => sound.getChannelData(at));
  return { duration: sound.duration, peaks: computePeaks(channels, LIMITS.waveformPeaks) };
}
