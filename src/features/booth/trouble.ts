import type { TakeEnd } from '#db/rows.ts';

/** A muted camera or microphone may come back by itself, for example after a notification sound. */
const MUTE_GRACE_MS = 1500;
const LOW_BATTERY = 0.05;

interface Battery extends EventTarget {
  charging: boolean;
  level: number;
}

/** Calls `onLow` when a device without a charger is almost empty. Only Chromium tells. */
function watchBattery(onLow: () => void, signal: AbortSignal): void {
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  if (!getBattery) return;
  const watch = (battery: Battery) => {
    if (signal.aborted) return;
    const check = () => !battery.charging && battery.level < LOW_BATTERY && onLow();
    battery.addEventListener('levelchange', check, { signal });
    check();
  };
  getBattery.call(navigator).then(watch, console.warn);
}

/**
 * Watches a running take for everything that would spoil it: a call, an unplugged device, a hidden page, an empty battery.
 * @param stop ends the take; what was recorded until then is whole
 * @returns ends the watch
 */
export function watchTrouble(stream: MediaStream, stop: (reason: TakeEnd) => void): () => void {
  const control = new AbortController();
  const { signal } = control;
  for (const track of stream.getTracks()) {
    const reason = track.kind === 'video' ? 'camera' : 'microphone';
    track.addEventListener('ended', () => stop(reason), { signal });
    track.addEventListener(
      'mute',
      () => {
        const timer = setTimeout(() => track.muted && stop(reason), MUTE_GRACE_MS);
        signal.addEventListener('abort', () => clearTimeout(timer));
      },
      { signal },
    );
  }
  document.addEventListener('visibilitychange', () => document.hidden && stop('hidden'), { signal });
  document.addEventListener('freeze', () => stop('hidden'), { signal });
  addEventListener('pagehide', () => stop('hidden'), { signal });
  watchBattery(() => stop('battery'), signal);
  return () => control.abort();
}
