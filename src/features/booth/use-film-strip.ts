import { useEffect, useState } from 'react';
import { drawJpeg } from '#ui/photo-file.ts';

const PICTURES = 8;
const HEIGHT_PX = 96;
const SEEK_TIMEOUT_MS = 5000;

/** Waits for an event of a player, or until the signal aborts. Rejects if neither comes. */
function waitFor(video: HTMLVideoElement, event: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`No ${event} of the film strip`)), SEEK_TIMEOUT_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    video.addEventListener(event, end, { once: true });
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Draws some pictures of a video, one after the other. */
async function drawStrip(url: string, seconds: number, signal: AbortSignal, onPicture: (jpeg: Blob) => void) {
  const video = document.createElement('video');
  const unload = () => {
    video.removeAttribute('src');
    video.load();
  };
  // At once, because the address is revoked when the take is no longer shown.
  signal.addEventListener('abort', unload);
  try {
    video.muted = true;
    video.playsInline = true;
    video.preload = 'auto';
    video.src = url;
    await waitFor(video, 'loadeddata', signal);
    for (let n = 0; n < PICTURES && !signal.aborted; n += 1) {
      video.currentTime = ((n + 0.5) / PICTURES) * seconds;
      await waitFor(video, 'seeked', signal);
      if (signal.aborted) return;
      const { videoWidth, videoHeight } = video;
      const jpeg = await drawJpeg(video, { width: (HEIGHT_PX * videoWidth) / videoHeight, height: HEIGHT_PX }, 0.6);
      if (jpeg && !signal.aborted) onPicture(jpeg);
    }
  } finally {
    unload();
  }
}

/** Addresses of some pictures of a take, for the bar that trims it. They come one after the other; a few may be missing. */
export function useFilmStrip(url: string, seconds: number): readonly string[] {
  const [pictures, setPictures] = useState<readonly string[]>([]);
  useEffect(() => {
    const control = new AbortController();
    const made: string[] = [];
    const add = (jpeg: Blob) => {
      made.push(URL.createObjectURL(jpeg));
      setPictures([...made]);
    };
    // Without it, the bar is plain.
    drawStrip(url, seconds, control.signal, add).catch(console.info);
    return () => {
      control.abort();
      for (const address of made) URL.revokeObjectURL(address);
      setPictures([]);
    };
  }, [url, seconds]);
  return pictures;
}
