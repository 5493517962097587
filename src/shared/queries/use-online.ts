import { useSyncExternalStore } from 'react';
import { reachability } from '#net/client.ts';

const GRACE_MS = 2000;

const watchers = new Set<() => void>();
let isLost = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let stop: (() => void) | null = null;

function setLost(lost: boolean): void {
  if (lost === isLost) return;
  isLost = lost;
  for (const watcher of watchers) watcher();
}

/** Shared by the whole page, so that a sheet opened offline knows it at once and does not wait for the grace period. */
function update(): void {
  if (navigator.onLine && reachability.get()) {
    clearTimeout(timer);
    timer = undefined;
    setLost(false);
  } else {
    timer ??= setTimeout(() => setLost(true), GRACE_MS);
  }
}

function watch(): () => void {
  const unsubscribe = reachability.subscribe(update);
  addEventListener('online', update);
  addEventListener('offline', update);
  update();
  return () => {
    unsubscribe();
    removeEventListener('online', update);
    removeEventListener('offline', update);
    clearTimeout(timer);
    timer = undefined;
    isLost = false;
  };
}

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  stop ??= watch();
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0) return;
    stop?.();
    stop = null;
  };
}

/**
 * Whether the device is online. Becomes false after two seconds offline, and true again at once. Offline means that the
 * browser reports it or that the last request got no response.
 */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => !isLost);
}
