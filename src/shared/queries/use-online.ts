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

/** The grace runs once for the whole page: a sheet that opens without signal must know it at once. */
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
  const unreach = reachability.subscribe(update);
  addEventListener('online', update);
  addEventListener('offline', update);
  update();
  return () => {
    unreach();
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

/** False once there has been no signal for two seconds; true again at once. No signal: the browser says so, or nobody answered. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => !isLost);
}
