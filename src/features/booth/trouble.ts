import type { TakeEnd } from '#db/rows.ts';

/** A muted camera or microphone may come back by itself, for example after a notification sound. */
const MUTE_GRACE_MS = 1500;
const LOW_BATTERY = 0.05;

/** Why a take ends that the person did not end. */
export type Trouble = Exclude<TakeEnd, 'person'>;

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

const getReason = ({ kind }: MediaStreamTrack) => (kind === 'video' ? 'camera' : 'microphone');

/** What already is in the way of a take. */
function findTrouble(stream: MediaStream): Trouble | null {
  if (document.hidden) return 'hidden';
  const ended = stream.getTracks().find(({ readyState }) => readyState === 'ended');
  return ended ? getReason(ended) : null;
}

/**
 * Watches a take, or the count-in before it, for everything that would spoil it: a call, an unplugged device, a hidden page, an empty battery. What has
 * happened before counts as well, because it fires no event any more.
 * @param stop ends the take; what was recorded until then is whole. Called at once if something is in the way already
 * @param signal ends the watch
 */
export function watchTrouble(stream: MediaStream, stop: (reason: Trouble) => void, signal: AbortSignal): void {
  for (const track of stream.getTracks()) {
    const reason = getReason(track);
    const handleMuted = () => {
      const timer = setTimeout(() => track.muted && stop(reason), MUTE_GRACE_MS);
      signal.addEventListener('abort', () => clearTimeout(timer));
    };
    track.addEventListener('ended', () => stop(reason), { signal });
    track.addEventListener('mute', handleMuted, { signal });
    if (track.muted) handleMuted();
  }
  document.addEventListener('visibilitychange', () => document.hidden && stop('hidden'), { signal });
  document.addEventListener('freeze', () => stop('hidden'), { signal });
  addEventListener('pagehide', () => stop('hidden'), { signal });
  watchBattery(() => stop('battery'), signal);
  const found = findTrouble(stream);
  if (found) stop(found);
}
